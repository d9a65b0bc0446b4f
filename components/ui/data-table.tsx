import type { ReactNode } from 'react'
import { cn } from './cn'

export type DataColumn<Row> = { name: string; isNumber?: boolean; className?: string; cell: (row: Row) => ReactNode }

type DataTableProps<Row> = {
  caption: string
  label?: string
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** `figures` is small print within a card, `card` is a card of its own. */
  variant: keyof typeof variants
}

export function DataTable<Row>({ caption, label = caption, columns, rows, rowKey, variant }: DataTableProps<Row>) {
  const { frame, table, heading } = variants[variant]
  return (
    // The region is focusable, so that arrow keys can scroll it, and relative, because texts for screen readers are
    // positioned and would widen the page.
    <div role="region" aria-label={label} tabIndex={0} className={cn('relative scroll-thin', frame)}>
      <table className={cn('w-full text-left', table)}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={cn('font-medium text-mute', heading, isNumber && 'text-right')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ name, isNumber, className, cell }) => (
                <td
                  key={name}
                  // Server and browser may write a time or number differently.
                  suppressHydrationWarning
                  className={cn(isNumber && 'tabular text-right whitespace-nowrap', className)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const variants = {
  figures: {
    frame: 'mt-2 max-h-80 overflow-auto rounded-md border border-line',
    table:
      'tabular border-separate border-spacing-0 text-xs [&_td]:border-b [&_td]:border-line-soft [&_td]:px-3 [&_td]:py-1.5',
    heading: 'sticky top-0 border-b border-line bg-panel px-3 py-1.5 whitespace-nowrap',
  },
  card: {
    frame: 'card overflow-x-auto',
    table: 'text-sm [&_td]:border-t [&_td]:border-line-soft [&_td]:px-3 [&_td]:py-2 [&_td]:align-middle',
    heading: 'px-3 py-2 text-xs',
  },
}
