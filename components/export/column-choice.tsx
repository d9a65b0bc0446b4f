import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { IconButton } from '@/components/ui/icon-button'
import type { ExportColumnName } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import { columnsOfList, defaultColumns } from '@/lib/export/export-columns'

type ColumnChoiceProps = {
  list: LeadList
  columns: readonly ExportColumnName[]
  onChange: (columns: ExportColumnName[]) => void
}

/** Which columns, in which order: the chosen first, as they will stand in the file. */
export function ColumnChoice({ list, columns, onChange }: ColumnChoiceProps) {
  const t = useTranslations('export')
  const [announcement, announce] = useState('')
  const all = columnsOfList[list]
  const others = all.filter((column) => !columns.includes(column))
  const move = (column: ExportColumnName, by: -1 | 1) => {
    const next = moved(columns, column, by)
    onChange(next)
    announce(t('columns.moved', { column: t(`column.${column}`), place: String(next.indexOf(column) + 1) }))
  }
  return (
    <Disclosure title={t('columns.label')} summary={t('columns.chosen', { chosen: columns.length, all: all.length })}>
      <ul className="flex flex-col">
        {[...columns, ...others].map((column) => (
          <li key={column} className="flex items-center rounded-md pr-1 hover:bg-hover">
            <label className="flex min-h-8.5 flex-1 items-center gap-2.5 px-2 text-sm touch:min-h-11">
              <input
                type="checkbox"
                className="size-4"
                checked={columns.includes(column)}
                onChange={() => onChange(toggled(columns, column))}
              />
              {t(`column.${column}`)}
            </label>
            {columns.includes(column) && <MoveButtons column={column} columns={columns} onMove={move} />}
          </li>
        ))}
      </ul>
      <div className="mt-1 flex justify-end">
        <Button size="sm" variant="ghost" onClick={() => onChange(defaultColumns(list))}>
          {t('columns.reset')}
        </Button>
      </div>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </Disclosure>
  )
}

type MoveButtonsProps = {
  column: ExportColumnName
  columns: readonly ExportColumnName[]
  onMove: (column: ExportColumnName, by: -1 | 1) => void
}

/** A button that was disabled under somebody's finger would drop the focus of the keyboard. */
const cannotMove = 'aria-disabled:cursor-default aria-disabled:opacity-45 aria-disabled:hover:bg-transparent'

function MoveButtons({ column, columns, onMove }: MoveButtonsProps) {
  const t = useTranslations('export')
  const name = t(`column.${column}`)
  return (
    <>
      <IconButton
        label={t('columns.up', { column: name })}
        aria-disabled={column === columns[0]}
        className={cannotMove}
        onClick={() => onMove(column, -1)}
      >
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton
        label={t('columns.down', { column: name })}
        aria-disabled={column === columns.at(-1)}
        className={cannotMove}
        onClick={() => onMove(column, 1)}
      >
        <ArrowDown aria-hidden />
      </IconButton>
    </>
  )
}

/** The list with one of its members a place earlier or later; at the end of the list it stays. */
function moved<Item>(items: readonly Item[], item: Item, by: -1 | 1): Item[] {
  const from = items.indexOf(item)
  const to = from + by
  if (from === -1 || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** The list without the item, or with it at the end. */
function toggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((other) => other !== item) : [...items, item]
}
