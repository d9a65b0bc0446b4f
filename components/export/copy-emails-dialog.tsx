import { useTranslations } from 'next-intl'
import { useSaveMutation } from '@/components/app/use-save'
import { api } from '@/lib/api/call'
import type { ExportTarget } from '@/lib/contract/export'
import { classifyExportFailure, ExportFormDialog, useExportForm } from './export-form'

type PendingCopy = { emails: Promise<string[]>; isCopied: Promise<boolean> }

/** Copies the e-mail addresses of leads. It is logged as an export, so it asks for a purpose, too. */
export function CopyEmailsDialog({ target, onClose }: { target: ExportTarget; onClose: () => void }) {
  const t = useTranslations('export')
  const form = useExportForm(target, 'emails')
  const { tally } = form
  const hasNoEmail = tally?.withEmail === 0
  const { save, busy, answer, error } = useSaveMutation({
    send: async ({ emails, isCopied }: PendingCopy) => ({
      count: (await emails).length,
      isCopied: await isCopied,
    }),
    successMessage: ({ count, isCopied }) => (isCopied ? t('copy.done', { count }) : null),
    invalidate: 'GET /api/exports',
    onSaved: ({ isCopied }) => {
      if (isCopied) onClose()
    },
  })
  const copy = (purpose: string) => {
    const request = api('POST /api/exports', { body: { ...target, purpose, format: 'emails' } })
    const emails = request.then((exported) => exported.emails)
    // Safari writes only within the press itself, so the clipboard gets a promise before the mutation runs.
    save({ emails, isCopied: writeToClipboard(emails) })
  }
  let problem = form.failure
  if (hasNoEmail) problem = t('copy.nobody')
  else if (answer?.isCopied === false) problem = t('copy.blocked')
  else if (error !== null) problem = t(`failed.${classifyExportFailure(error)}`)
  return (
    <ExportFormDialog
      title={t('copy.title')}
      form={form}
      problem={problem}
      submitButton={{ text: t('copy.start'), busy, disabled: !form.isReady || hasNoEmail }}
      onSubmit={copy}
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
    </ExportFormDialog>
  )
}

/** Returns whether the browser has allowed it. */
async function writeToClipboard(emails: Promise<string[]>): Promise<boolean> {
  const text = emails.then((all) => new Blob([all.join('; ')], { type: 'text/plain' }))
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
    return true
  } catch {
    return false
  }
}
