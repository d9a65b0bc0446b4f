import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { Checkbox } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { Segments } from '@/components/ui/segments'
import { toast } from '@/components/ui/toast'
import { api, apiQuery, keyOf } from '@/lib/api/call'
import { exportFile, type ExportProgress } from '@/lib/api/exports'
import type { ExportChoice, ExportColumnName, NewExport } from '@/lib/contract/export'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Matching, Sort } from '@/lib/contract/list-query'
import { columnsOfList, defaultColumns } from '@/lib/export/export-columns'
import { sinceTime } from '@/lib/time/format-time'
import { PurposeDialog, reasonOf, usePurposeForm } from './purpose-form'

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
  const locale = useLocale()
  const [now] = useState(Date.now)
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
      {/* Asked only where there was an earlier export of the same. */}
      {form.preview?.fresh && form.preview.lastExportAt && (
        <Segments
          label={t('which.label')}
          value={form.newOnly ? 'fresh' : 'all'}
          options={[
            { value: 'all', text: t('which.all', { count: form.preview.count }) },
            {
              value: 'fresh',
              text: t('which.fresh', { count: form.preview.fresh.count }),
              disabled: form.preview.fresh.count === 0,
            },
          ]}
          hint={t('which.freshSince', { when: sinceTime(Date.parse(form.preview.lastExportAt), now, locale) })}
          onChange={(value) => form.set({ newOnly: value === 'fresh' })}
        />
      )}
      {choice && <FileChoice list={list} choice={choice} change={change} />}
    </PurposeDialog>
  )
}

type FileChoiceProps = { list: LeadList; choice: ExportChoice; change: (part: Partial<ExportChoice>) => void }

function FileChoice({ list, choice: { format, columns }, change }: FileChoiceProps) {
  const t = useTranslations('export')
  const all = columnsOfList[list]
  const set = (column: ExportColumnName, isOn: boolean) =>
    change({ columns: all.filter((each) => (each === column ? isOn : columns.includes(each))) })
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
          <Disclosure
            title={t('columns.label')}
            summary={t('columns.chosen', { chosen: columns.length, all: all.length })}
          >
            <ul className="flex flex-col">
              {all.map((column) => (
                <li key={column} className="flex rounded-md hover:bg-hover">
                  <Checkbox
                    label={t(`column.${column}`)}
                    checked={columns.includes(column)}
                    onChange={(isOn) => set(column, isOn)}
                    className="flex-1 px-2"
                  />
                </li>
              ))}
            </ul>
          </Disclosure>
        )}
        <ProblemText text={columns.length === 0 ? t('columns.none') : null} />
      </div>
    </>
  )
}

function useExportChoice(list: LeadList) {
  const client = useQueryClient()
  const params = { name: `export.${list}` as const }
  const query = apiQuery('GET /api/preferences/[name]', { params })
  const { data, isPending } = useQuery({ ...query, staleTime: Infinity })
  const [changes, setChanges] = useState<Partial<ExportChoice>>({})
  const last = data?.value as ExportChoice | null | undefined
  // As chosen last time, but for columns that the list no longer has: they would be empty.
  const columns = last?.columns.filter((column) => columnsOfList[list].includes(column)) ?? []
  const before = { format: last?.format ?? 'xlsx', columns: columns.length === 0 ? defaultColumns(list) : columns }
  const choice: ExportChoice | null = isPending ? null : { ...before, ...changes }
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

function useExportRun(onDone: () => void) {
  const t = useTranslations('export')
  const client = useQueryClient()
  const running = useRef<AbortController>(null)
  const [progress, setProgress] = useState<ExportProgress | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async (request: NewExport) => {
    const run = new AbortController()
    running.current = run
    setError(null)
    setProgress({ bytes: 0, part: 0 })
    try {
      const file = await exportFile(request, { signal: run.signal, onProgress: setProgress })
      saveFile(file.name, file.blob)
      toast(t('done', { count: file.count, file: file.name }))
      onDone()
    } catch (failure) {
      if (run.signal.aborted) toast(t('cancelled'))
      else setError(t(`failed.${reasonOf(failure)}`))
    } finally {
      setProgress(null)
      void client.invalidateQueries({ queryKey: keyOf('GET /api/exports') })
      void client.invalidateQueries({ queryKey: keyOf('POST /api/exports/preview') })
    }
  }
  return { progress, error, start, cancel: () => running.current?.abort() }
}

/** How far a file has come. The size is foreseen, so the bar stops short of its end until the file is whole. */
function ExportProgressBar({ progress: { bytes, part } }: { progress: ExportProgress }) {
  const t = useTranslations('export.progress')
  const format = useFormatter()
  const megabytes = format.number(bytes / 1e6, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
  return (
    <div className="flex flex-col gap-2 py-2">
      <progress
        aria-label={t('label')}
        max={1}
        value={Math.min(0.98, part)}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line-soft [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line-soft [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
      />
      <p className="tabular text-sm text-mute">{t('received', { size: megabytes })}</p>
    </div>
  )
}

type CopyEmailsDialogProps = Pick<ExportDialogProps, 'list' | 'target' | 'count' | 'onClose'>

export function CopyEmailsDialog({ list, target, onClose }: CopyEmailsDialogProps) {
  const t = useTranslations('export')
  const client = useQueryClient()
  const form = usePurposeForm({ list, ...target }, 'emails')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { tally } = form
  const hasNobody = tally !== undefined && tally.withEmail === 0
  const copy = async () => {
    const purpose = form.check()
    if (purpose === null) return
    setBusy(true)
    setError(null)
    const fetched = api('POST /api/exports', { body: { list, ...target, purpose, format: 'emails' } })
    try {
      const isCopied = await writeClipboard(fetched.then(({ emails }) => emails.join('; ')))
      const answer = await fetched
      if (isCopied) {
        toast(t('copy.done', { count: answer.emails.length }))
        onClose()
      } else setError(t('copy.blocked'))
    } catch (failure) {
      setError(t(`failed.${reasonOf(failure)}`))
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: keyOf('GET /api/exports') })
    }
  }
  const problem = hasNobody ? t('copy.nobody') : (error ?? form.failure)
  const isReady = tally !== undefined && !form.isCounting && !hasNobody
  return (
    <PurposeDialog
      title={t('copy.title')}
      form={form}
      problem={problem}
      send={{ text: t('copy.start'), busy: isBusy, disabled: !isReady }}
      onSubmit={() => void copy()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1.5 text-sm">
        <p className="tabular font-medium" aria-live="polite">
          {tally === undefined
            ? t('counting')
            : t('copy.counts', { withEmail: tally.withEmail, without: tally.count - tally.withEmail })}
        </p>
        <p className="text-mute">{t('copy.body')}</p>
      </div>
    </PurposeDialog>
  )
}

/** Safari allows no write after a wait, so the clipboard gets the promise. False: the browser refused. */
async function writeClipboard(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((plain) => new Blob([plain], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return navigator.clipboard.writeText(await text).then(
      () => true,
      () => false,
    )
  }
}
