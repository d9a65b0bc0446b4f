import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { Checkbox } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { Segments } from '@/components/ui/segments'
import { api, apiQuery } from '@/lib/api/call'
import type { ExportChoice, ExportColumnName, ExportPreview } from '@/lib/contract/export'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Matching, Sort } from '@/lib/contract/list-query'
import { columnsOfList, defaultColumns } from '@/lib/export/export-columns'
import { sinceTime } from '@/lib/time/format-time'
import { ExportProgressBar, useExportRun } from './export-run'
import { PurposeDialog, usePurposeForm } from './purpose-form'

export type ExportDialogProps = {
  list: LeadList
  target: LeadTarget
  count: number
  onClose: () => void
  sort?: Sort | undefined
}

export type LeadTarget = { leads: LeadRef[] } | { matching: Matching }

type OfList = Pick<ExportDialogProps, 'list' | 'target' | 'count'>
type WhichListProps = { of: readonly OfList[]; onChoose: (one: OfList) => void; onClose: () => void }

export function WhichList({ of, onChoose, onClose }: WhichListProps) {
  const t = useTranslations()
  return (
    <Dialog onClose={onClose} title={t('export.ofBoth.title')}>
      <div className="flex flex-wrap gap-2 px-5 pt-1 pb-5">
        {of.map((one) => (
          <Button
            key={one.list}
            text={t(`inbox.${one.list}.count`, { count: one.count })}
            onClick={() => onChoose(one)}
          />
        ))}
      </div>
    </Dialog>
  )
}

export function ExportDialog({ list, target, count, onClose, sort }: ExportDialogProps) {
  const t = useTranslations('export')
  const { choice, change, remember } = useExportChoice(list)
  const form = usePurposeForm({ list, ...target }, 'xlsx')
  const run = useExportRun(onClose)
  const rows = form.isCounting ? undefined : form.tally?.count
  const isReady = rows !== undefined && rows > 0 && choice !== null && choice.columns.length > 0
  const start = () => {
    const purpose = form.check()
    if (purpose === null || !isReady) return
    remember()
    void run.start({ list, ...target, ...choice, sort, purpose, newOnly: form.newOnly, expectedCount: rows })
  }
  const problem = run.error ?? form.failure ?? (rows === 0 ? t('empty') : null)
  const title = t(`title.${list}`, { count: rows ?? count })
  const running = run.progress && {
    content: <ExportProgressBar progress={run.progress} />,
    footer: <Button text={t('progress.cancel')} onClick={run.cancel} />,
  }
  return (
    <PurposeDialog
      title={title}
      form={form}
      problem={problem}
      send={{ text: rows === undefined ? t('counting') : t('start', { count: rows }), disabled: !isReady }}
      instead={running}
      onSubmit={start}
      onClose={onClose}
    >
      {form.preview && (
        <WhichLeads preview={form.preview} newOnly={form.newOnly} onChange={(newOnly) => form.set({ newOnly })} />
      )}
      {choice && <FileChoice list={list} choice={choice} change={change} />}
    </PurposeDialog>
  )
}

type WhichLeadsProps = { preview: ExportPreview; newOnly: boolean; onChange: (newOnly: boolean) => void }

/** Asked only where there was an earlier export of the same. */
function WhichLeads({ preview, newOnly, onChange }: WhichLeadsProps) {
  const t = useTranslations('export.which')
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { fresh, lastExportAt } = preview
  if (fresh === null || lastExportAt === null) return null
  return (
    <Segments
      label={t('label')}
      value={newOnly ? 'fresh' : 'all'}
      options={[
        { value: 'all', text: t('all', { count: preview.count }) },
        { value: 'fresh', text: t('fresh', { count: fresh.count }), disabled: fresh.count === 0 },
      ]}
      hint={t('freshSince', { when: sinceTime(Date.parse(lastExportAt), now, locale) })}
      onChange={(value) => onChange(value === 'fresh')}
    />
  )
}

function FileChoice({ list, choice, change }: { list: LeadList; choice: ExportChoice; change: ChoiceState['change'] }) {
  const t = useTranslations('export')
  const { format, columns } = choice
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
        <ProblemText text={columns.length === 0 ? t('columns.none') : null} />
      </div>
    </>
  )
}

type ChoiceState = ReturnType<typeof useExportChoice>

function useExportChoice(list: LeadList) {
  const client = useQueryClient()
  const params = { name: `export.${list}` as const }
  const query = apiQuery('GET /api/preferences/[name]', { params })
  const { data, isPending } = useQuery({ ...query, staleTime: Infinity })
  const [changes, setChanges] = useState<Partial<ExportChoice>>({})
  const choice = isPending ? null : { ...lastChoice(list, data?.value as ExportChoice | null), ...changes }
  return {
    choice,
    change: (part: Partial<ExportChoice>) => setChanges((others) => ({ ...others, ...part })),
    /** The export goes on whether that works or not. */
    remember: () => {
      if (choice === null || choice.columns.length === 0) return
      client.setQueryData(query.queryKey, { value: choice })
      api('PUT /api/preferences/[name]', { params, body: { value: choice } }).catch(() => undefined)
    },
  }
}

/** As chosen last time, but for columns that the list no longer has: they would be empty. */
function lastChoice(list: LeadList, last: ExportChoice | null | undefined): ExportChoice {
  const columns = last?.columns.filter((column) => columnsOfList[list].includes(column)) ?? []
  return { format: last?.format ?? 'xlsx', columns: columns.length === 0 ? defaultColumns(list) : columns }
}

type ColumnChoiceProps = {
  list: LeadList
  columns: readonly ExportColumnName[]
  onChange: (columns: ExportColumnName[]) => void
}

function ColumnChoice({ list, columns, onChange }: ColumnChoiceProps) {
  const t = useTranslations('export')
  const all = columnsOfList[list]
  return (
    <Disclosure title={t('columns.label')} summary={t('columns.chosen', { chosen: columns.length, all: all.length })}>
      <ul className="flex flex-col">
        {all.map((column) => (
          <li key={column} className="flex rounded-md hover:bg-hover">
            <Checkbox
              label={t(`column.${column}`)}
              checked={columns.includes(column)}
              onChange={(isOn) => onChange(all.filter((each) => (each === column ? isOn : columns.includes(each))))}
              className="flex-1 px-2"
            />
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
