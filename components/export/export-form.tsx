'use client'

import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { Button } from '@/components/ui/button'
import { AskedForm } from './asked-form'
import { DialogFrame } from './dialog-frame'
import type { ExportDialogProps } from './export-dialog'
import { ExportProgressBar } from './export-progress'
import { exportTarget } from './export-target'
import { FileChoice } from './file-choice'
import { useExportChoice } from './use-export-choice'
import { useExportForm } from './use-export-form'
import { reasonOf, useExportRun } from './use-export-run'
import { WhichLeads } from './which-leads'

/** Format, columns, purpose, and then the file: the number on the button is the number of rows in it. */
export function ExportForm({ list, target, count, onClose, sort = '-createdAt', newFirst = false }: ExportDialogProps) {
  const t = useTranslations('export')
  const id = useId()
  const { choice, change, keep } = useExportChoice(list)
  const form = useExportForm(exportTarget(list, target), 'xlsx', newFirst)
  const run = useExportRun(onClose)
  const rows = form.tally?.count
  const isReady = rows !== undefined && rows > 0 && choice !== null && choice.columns.length > 0
  const isRunning = run.progress !== null
  const start = () => {
    const purpose = form.check()
    if (purpose === null || !isReady) return
    keep()
    void run.start({ list, ...target, ...choice, sort, purpose, newOnly: form.newOnly, expectedCount: rows })
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
  const problem = form.error === null ? (rows === 0 ? t('empty') : null) : t(`failed.${reasonOf(form.error)}`)
  const title = t(`title.${list}`, { count: rows ?? count })
  return (
    <DialogFrame title={title} onClose={onClose} insistent={isRunning} footer={footer}>
      {run.progress === null ? (
        <AskedForm id={id} form={form} problem={run.error ?? problem} onSubmit={start}>
          {form.preview && <WhichLeads preview={form.preview} newOnly={form.newOnly} onChange={form.setNewOnly} />}
          {choice && <FileChoice list={list} choice={choice} change={change} />}
        </AskedForm>
      ) : (
        <ExportProgressBar progress={run.progress} />
      )}
    </DialogFrame>
  )
}
