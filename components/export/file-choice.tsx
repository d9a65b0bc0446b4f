import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { Field, Select } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Problem } from '@/components/ui/notice'
import { Segments } from '@/components/ui/segments'
import { api, apiQuery } from '@/lib/api/call'
import type { ExportChoice, ExportColumnName } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import { columnsOfList, defaultColumns } from '@/lib/export/export-columns'

type FileChoiceProps = { list: LeadList; choice: ExportChoice; change: ChoiceState['change'] }

export function FileChoice({ list, choice, change }: FileChoiceProps) {
  const t = useTranslations('export')
  const { format, columns, delimiter, encoding } = choice
  return (
    <>
      <Segments
        label={t('format.label')}
        value={format}
        options={(['xlsx', 'csv', 'vcf'] as const).map((value) => ({ value, text: t(`format.${value}`) }))}
        hint={t(`format.${format}Hint`)}
        onChange={(value) => change({ format: value })}
      />
      <div className="flex flex-col gap-2">
        {format !== 'vcf' && (
          <ColumnChoice list={list} columns={columns} onChange={(value) => change({ columns: value })} />
        )}
        <Problem text={columns.length === 0 ? t('columns.none') : null} />
        {format === 'csv' && <CsvSettings delimiter={delimiter} encoding={encoding} onChange={change} />}
      </div>
    </>
  )
}

type ChoiceState = ReturnType<typeof useExportChoice>

export function useExportChoice(list: LeadList) {
  const client = useQueryClient()
  const params = { name: `export.${list}` as const }
  const query = apiQuery('GET /api/preferences/[name]', { params })
  const { data, isPending } = useQuery({ ...query, staleTime: Infinity })
  const [changes, setChanges] = useState<Partial<ExportChoice>>({})
  const choice = isPending ? null : { ...lastChoice(list, data?.value as ExportChoice | null), ...changes }
  return {
    choice,
    change: (part: Partial<ExportChoice>) => setChanges((others) => ({ ...others, ...part })),
    /** Remembers the choice for the next time. The export goes on whether that works or not. */
    remember: () => {
      if (choice === null || choice.columns.length === 0) return
      client.setQueryData(query.queryKey, { value: choice })
      api('PUT /api/preferences/[name]', { params, body: { value: choice } }).catch(() => undefined)
    },
  }
}

/** As chosen last time, but for columns that the list no longer has: they would be empty. */
function lastChoice(list: LeadList, last: ExportChoice | null | undefined): ExportChoice {
  const usual: ExportChoice = { columns: defaultColumns(list), format: 'xlsx', delimiter: ';', encoding: 'utf-8-bom' }
  const columns = last?.columns.filter((column) => columnsOfList[list].includes(column)) ?? []
  return { ...usual, ...last, columns: columns.length === 0 ? usual.columns : columns }
}

const delimiters = { semicolon: ';', comma: ',', tab: '\t' } as const
const delimiterNames = ['semicolon', 'comma', 'tab'] as const
const encodings = ['utf-8-bom', 'utf-8', 'utf-16le', 'windows-1252'] as const

type CsvSettingsProps = Pick<ExportChoice, 'delimiter' | 'encoding'> & { onChange: ChoiceState['change'] }

function CsvSettings({ delimiter, encoding, onChange }: CsvSettingsProps) {
  const t = useTranslations('export.csv')
  const delimiterName = delimiterNames.find((name) => delimiters[name] === delimiter) ?? 'semicolon'
  return (
    <Disclosure title={t('label')} summary={t(delimiterName)}>
      <div className="flex flex-col gap-3 p-1">
        <OneOf
          label={t('delimiter')}
          options={delimiterNames.map((name) => ({ name, text: t(name) }))}
          chosen={delimiterName}
          onChange={(name) => onChange({ delimiter: delimiters[name] })}
        />
        <OneOf
          label={t('encoding')}
          hint={encoding === 'windows-1252' ? t('lossy') : undefined}
          options={encodings.map((name) => ({ name, text: t(name) }))}
          chosen={encoding}
          onChange={(name) => onChange({ encoding: name })}
        />
      </div>
    </Disclosure>
  )
}

type OneOfProps<Name> = {
  label: string
  hint?: string | undefined
  options: readonly { name: Name; text: string }[]
  chosen: Name
  onChange: (name: Name) => void
}

function OneOf<Name extends string>({ label, hint, options, chosen, onChange }: OneOfProps<Name>) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <Select
          {...attributes}
          value={chosen}
          onChange={({ target }) => {
            const option = options.find(({ name }) => name === target.value)
            if (option !== undefined) onChange(option.name)
          }}
        >
          {options.map(({ name, text }) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

type ColumnChoiceProps = {
  list: LeadList
  columns: readonly ExportColumnName[]
  onChange: (columns: ExportColumnName[]) => void
}

/** Which columns, in which order: the chosen first, as they will stand in the file. */
function ColumnChoice({ list, columns, onChange }: ColumnChoiceProps) {
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

/** A button that was disabled under the finger would lose the focus. */
const cannotMove = 'aria-disabled:cursor-default aria-disabled:opacity-45 aria-disabled:hover:bg-transparent'

function MoveButtons({ column, columns, onMove }: MoveButtonsProps) {
  const t = useTranslations('export')
  const words = { column: t(`column.${column}`) }
  return (
    <>
      <IconButton
        label={t('columns.up', words)}
        aria-disabled={column === columns[0]}
        className={cannotMove}
        onClick={() => onMove(column, -1)}
      >
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton
        label={t('columns.down', words)}
        aria-disabled={column === columns.at(-1)}
        className={cannotMove}
        onClick={() => onMove(column, 1)}
      >
        <ArrowDown aria-hidden />
      </IconButton>
    </>
  )
}

function moved<Item>(items: readonly Item[], item: Item, by: -1 | 1): Item[] {
  const from = items.indexOf(item)
  const to = from + by
  return from === -1 || items[to] === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item)
}

function toggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((other) => other !== item) : [...items, item]
}
