declare module 'gltf-validator' {
  interface Report {
    readonly issues: {readonly numErrors: number; readonly numWarnings: number};
  }
  const validator: {validateBytes(bytes: Uint8Array): Promise<Report>};
  export default validator;
}
