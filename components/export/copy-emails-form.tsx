'use client'

import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { Button } from '@/components/ui/button'
import { AskedForm } from './asked-form'
import type { CopyEmailsDialogProps } from './copy-emails-dialog'
import { DialogFrame } from './dialog-frame'
import { exportTarget } from './export-target'
import { useCopyEmails } from './use-copy-emails'
import { useExportForm } from './use-export-form'
import { reasonOf } from './use-export-run'

/** How many have an address, why they are written to, and then the clipboard. */
export function CopyEmailsForm({ list, target, onClose }: CopyEmailsDialogProps) {
  const t = useTranslations('export')
  const id = useId()
  const form = useExportForm(exportTarget(list, target), 'emails', false)
  const { isBusy, error, isWaiting, copy } = useCopyEmails(onClose)
  const { tally } = form
  const hasNobody = tally !== undefined && tally.withEmail === 0
  const failure = form.error === null ? null : t(`failed.${reasonOf(form.error)}`)
  const start = () => {
    const purpose = form.check()
    if (purpose !== null) void copy({ list, ...target, purpose })
  }
  const footer = (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t('back')}
      </Button>
      <Button variant="primary" type="submit" form={id} busy={isBusy} disabled={tally === undefined || hasNobody}>
        {isWaiting ? t('copy.again') : t('copy.start')}
      </Button>
    </>
  )
  const problem = hasNobody ? t('copy.nobody') : (error ?? failure)
  return (
    <DialogFrame title={t('copy.title')} onClose={onClose} footer={footer}>
      <AskedForm id={id} form={form} problem={problem} onSubmit={start}>
        <div className="flex flex-col gap-1.5 text-sm">
          <p className="tabular font-medium" aria-live="polite">
            {tally === undefined
              ? t('counting')
              : t('copy.counts', { withEmail: tally.withEmail, without: tally.count - tally.withEmail })}
          </p>
          <p className="text-mute">{t('copy.body')}</p>
        </div>
      </AskedForm>
    </DialogFrame>
  )
}
