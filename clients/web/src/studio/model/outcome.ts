// What became of a command: its result, or the error in the server's words. Commands never throw.
import {WeftError} from '../../lib/index.js';

export type Outcome<T> =
  {readonly ok: true; readonly result: T} | {readonly ok: false; readonly error: WeftError};

export function refused<T>(error: WeftError): Outcome<T> {
  return {ok: false, error};
}

export async function outcome<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return {ok: true, result: await call};
  } catch (error) {
    if (error instanceof WeftError) {
      return refused(error);
    }
    throw error;
  }
}
