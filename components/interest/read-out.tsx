import type { ReactNode } from 'react'

type ReadOutProps = {
  values: readonly { name: string; swatch: ReactNode; value: string }[]
  /** Which point the values are of. */
  point: string
}

/** The key of a chart and, beside each name, its value at the point that is looked at. The slider beneath says the same. */
export function ReadOut({ values, point }: ReadOutProps) {
  return (
    <dl aria-hidden="true" className="tabular mb-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-mute">
      {values.map(({ name, swatch, value }) => (
        <div key={name} className="flex items-center gap-1.5">
          <dt className="flex items-center gap-1.5">
            {swatch}
            {name}
          </dt>
          <dd className="font-semibold text-ink">{value}</dd>
        </div>
      ))}
      <div suppressHydrationWarning className="text-faint">
        {point}
      </div>
    </dl>
  )
}
