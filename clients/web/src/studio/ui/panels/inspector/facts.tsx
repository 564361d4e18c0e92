// Things that are so and cannot be changed, as a list of names and values.
export type Fact = readonly [name: string, value: string, doc?: string, tone?: 'warning' | 'danger'];

export function Facts({facts}: {facts: readonly Fact[]}) {
  return (
    <dl class="facts">
      {facts.map(([name, value, doc, tone]) => (
        <div key={name} data-tip={doc}>
          <dt>{name}</dt>
          <dd class={tone ? `numeric ${tone}` : 'numeric'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
