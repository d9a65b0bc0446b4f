import { useLocale, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { DialogFrame } from '@/components/ui/dialog-frame'
import { Segments } from '@/components/ui/segments'
import type { ExportPreview } from '@/lib/contract/export'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Matching, Sort } from '@/lib/contract/list-query'
import { sinceTime } from '@/lib/time/format-time'
import { ExportProgressBar, useExportRun } from './export-run'
import { FileChoice, useExportChoice } from './file-choice'
import { PurposeForm, usePurposeForm } from './purpose-form'

export type ExportDialogProps = {
  list: LeadList
  target: LeadTarget
  count: number
  onClose: () => void
  sort?: Sort | undefined
  newFirst?: boolean | undefined
}

export type LeadTarget = { leads: LeadRef[] } | { matching: Matching }

/** Format, columns and purpose of a file. The number on the button is the number of its rows. */
export function ExportDialog({ list, target, count, onClose, sort, newFirst = false }: ExportDialogProps) {
  const t = useTranslations('export')
  const id = useId()
  const { choice, change, remember } = useExportChoice(list)
  const form = usePurposeForm({ list, ...target }, 'xlsx', newFirst)
  const run = useExportRun(onClose)
  const rows = form.isCounting ? undefined : form.tally?.count
  const isReady = rows !== undefined && rows > 0 && choice !== null && choice.columns.length > 0
  const isRunning = run.progress !== null
  const start = () => {
    const purpose = form.check()
    if (purpose === null || !isReady) return
    remember()
    const { newOnly, includeProtected } = form
    const which = { newOnly, includeProtected, expectedCount: rows }
    void run.start({ list, ...target, ...choice, sort, purpose, ...which })
  }
  const footer = isRunning ? (
    <Button onClick={run.cancel}>{t('progress.cancel')}</Button>
  ) : (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t('back')}
      </Button>
      <Button variant="primary" type="submit" form={id} disabled={!isReady} className="tabular">
        {rows === undefined ? t('counting') : t('start', { count: rows })}
      </Button>
    </>
  )
  const problem = run.error ?? form.failure ?? (rows === 0 ? t('empty') : null)
  const title = t(`title.${list}`, { count: rows ?? count })
  return (
    <DialogFrame title={title} onClose={onClose} insistent={isRunning} footer={footer}>
      {run.progress === null ? (
        <PurposeForm id={id} form={form} problem={problem} onSubmit={start}>
          {form.preview && <WhichLeads preview={form.preview} newOnly={form.newOnly} onChange={form.setNewOnly} />}
          {choice && <FileChoice list={list} choice={choice} change={change} />}
        </PurposeForm>
      ) : (
        <ExportProgressBar progress={run.progress} />
      )}
    </DialogFrame>
  )
}

type WhichLeadsProps = { preview: ExportPreview; newOnly: boolean; onChange: (newOnly: boolean) => void }

/** All of them, or those that were in no earlier export of the same; asked only where there was one. */
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
