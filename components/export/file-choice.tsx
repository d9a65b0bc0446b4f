import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Disclosure } from '@/components/ui/disclosure'
import { Field, Select } from '@/components/ui/field'
import { Problem } from '@/components/ui/notice'
import { Segments } from '@/components/ui/segments'
import { api, apiQuery } from '@/lib/api/call'
import type { ExportChoice } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import { columnsOfList, defaultColumns } from '@/lib/export/export-columns'
import { ColumnChoice } from './column-choice'

type FileChoiceProps = { list: LeadList; choice: ExportChoice; change: ChoiceState['change'] }

/** Which kind of file, and what stands in it. */
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

type ChoiceState = {
  /** Null until it is known what the person chose last time. */
  choice: ExportChoice | null
  change: (part: Partial<ExportChoice>) => void
  /** Remembers the choice for the next time; the export goes on whether that works or not. */
  remember: () => void
}

/** Format and columns of a list: as chosen last time, else what most people need. */
export function useExportChoice(list: LeadList): ChoiceState {
  const name = `export.${list}` as const
  const client = useQueryClient()
  const params = { name }
  const query = apiQuery('GET /api/preferences/[name]', { params })
  const { data, isPending } = useQuery({ ...query, staleTime: Infinity })
  const [changes, setChanges] = useState<Partial<ExportChoice>>({})
  const choice = isPending
    ? null
    : { ...usualChoice(list), ...lastChoice(list, data?.value as ExportChoice | null), ...changes }
  return {
    choice,
    change: (part) => setChanges((others) => ({ ...others, ...part })),
    remember: () => {
      if (choice === null || choice.columns.length === 0) return
      client.setQueryData(query.queryKey, { value: choice })
      api('PUT /api/preferences/[name]', { params, body: { value: choice } }).catch(() => undefined)
    },
  }
}

function usualChoice(list: LeadList): ExportChoice {
  return { columns: defaultColumns(list), format: 'xlsx', delimiter: ';', encoding: 'utf-8-bom' }
}

/** As chosen last time, but for columns that the list no longer has: they would be empty. */
function lastChoice(list: LeadList, last: ExportChoice | null | undefined): Partial<ExportChoice> {
  if (!last) return {}
  const columns = last.columns.filter((column) => columnsOfList[list].includes(column))
  return columns.length === 0 ? { ...last, columns: defaultColumns(list) } : { ...last, columns }
}

const delimiters = [
  { value: ';', name: 'semicolon' },
  { value: ',', name: 'comma' },
  { value: '\t', name: 'tab' },
] as const
const encodings = ['utf-8-bom', 'utf-8', 'utf-16le', 'windows-1252'] as const

type CsvSettingsProps = Pick<ExportChoice, 'delimiter' | 'encoding'> & {
  onChange: (part: Partial<ExportChoice>) => void
}

/** For programs that want it otherwise than Excel does. */
function CsvSettings({ delimiter, encoding, onChange }: CsvSettingsProps) {
  const t = useTranslations('export.csv')
  const delimiterName = delimiters.find(({ value }) => value === delimiter)?.name ?? 'semicolon'
  return (
    <Disclosure title={t('label')} summary={t(delimiterName)}>
      <div className="flex flex-col gap-3 p-1">
        <Field label={t('delimiter')}>
          {(attributes) => (
            <Select
              {...attributes}
              value={delimiterName}
              onChange={({ target }) => {
                const chosen = delimiters.find(({ name }) => name === target.value)
                if (chosen) onChange({ delimiter: chosen.value })
              }}
            >
              {delimiters.map(({ name }) => (
                <option key={name} value={name}>
                  {t(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('encoding')} hint={encoding === 'windows-1252' ? t('lossy') : undefined}>
          {(attributes) => (
            <Select
              {...attributes}
              value={encoding}
              onChange={({ target }) => {
                const chosen = encodings.find((name) => name === target.value)
                if (chosen) onChange({ encoding: chosen })
              }}
            >
              {encodings.map((name) => (
                <option key={name} value={name}>
                  {t(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Disclosure>
  )
}
