import { type ReactNode, useCallback, useState } from 'react'
import { cn } from './cn'

type DataColumn = { name: string; isNumber?: boolean }

type DataTableProps = {
  caption: string
  label?: string
  columns: readonly DataColumn[]
  /** `inset` and `figures` are small print within a card, `card` is a card of its own. */
  look?: keyof typeof looks
  /** Rows, in which cells of numbers have `text-right`. */
  children: ReactNode
}

export function DataTable({ caption, label = caption, columns, look = 'inset', children }: DataTableProps) {
  const classes = looks[look]
  const [isScrolling, setScrolling] = useState(false)
  const frame = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setScrolling(element.scrollWidth > element.clientWidth))
    for (const each of [element, ...element.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [])
  // Focusable where it scrolls, so that the arrow keys can scroll it.
  const region = look !== 'card' || isScrolling ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {}
  return (
    // Relative, because texts for screen readers are positioned and would widen the page instead of the table.
    <div ref={frame} {...region} className={cn('relative scroll-thin', classes.frame)}>
      <table className={cn('w-full text-left', classes.table)}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber = false }) => (
              <th
                key={name}
                scope="col"
                className={cn('font-medium text-mute', classes.heading, isNumber && 'text-right')}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

type RowsTableProps<Row> = Omit<DataTableProps, 'columns' | 'children'> & {
  columns: readonly (false | (DataColumn & { className?: string; cell: (row: Row) => ReactNode }))[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}

export function RowsTable<Row>({ columns, rows, keyOf, ...table }: RowsTableProps<Row>) {
  const shown = columns.filter((column) => column !== false)
  return (
    <DataTable {...table} columns={shown}>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {shown.map(({ name, isNumber, className, cell }) => (
            <td
              key={name}
              suppressHydrationWarning
              className={cn(isNumber && 'tabular text-right whitespace-nowrap', className)}
            >
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  )
}

const small =
  'border-separate border-spacing-0 text-xs [&_td]:border-b [&_td]:border-line-soft [&_td]:px-3 [&_td]:py-1.5'
const sticky = 'sticky top-0 border-b border-line bg-panel px-3 py-1.5 whitespace-nowrap'

const looks = {
  inset: {
    frame: 'mt-2 max-h-72 overflow-auto rounded-md border border-line',
    table: `${small} [&_td]:align-top [&_tr:last-child>td]:border-b-0`,
    heading: sticky,
  },
  figures: {
    frame: 'mt-2 max-h-80 overflow-auto rounded-md border border-line',
    table: `${small} tabular [&_th]:px-3 [&_th]:py-1.5`,
    heading: sticky,
  },
  card: {
    frame: 'overflow-x-auto rounded-lg border border-line bg-panel shadow-card',
    table: 'text-sm [&_td]:border-t [&_td]:border-line-soft [&_td]:px-3 [&_td]:py-2 [&_td]:align-middle',
    heading: 'px-3 py-2 text-xs',
  },
}
