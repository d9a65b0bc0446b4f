import { useTranslations } from 'next-intl'
import { useSaveMutation } from '@/components/app/use-save'
import { api } from '@/lib/api/call'
import { classifyExportFailure } from '@/lib/api/exports'
import type { ExportTarget } from '@/lib/contract/export'
import { ExportFormDialog, useExportForm } from './export-form'

type PendingCopy = { emails: Promise<string[]>; whenCopied: Promise<boolean> }

/** Copies the e-mail addresses of leads. It asks for a purpose, because the copy is logged as an export. */
export function CopyEmailsDialog({ target, onClose }: { target: ExportTarget; onClose: () => void }) {
  const t = useTranslations('export')
  const form = useExportForm(target, 'emails')
  const { tally } = form
  const hasNoEmail = tally?.withEmail === 0
  const { save, busy, answer, error } = useSaveMutation({
    send: async ({ emails, whenCopied }: PendingCopy) => ({ count: (await emails).length, isCopied: await whenCopied }),
    successMessage: ({ count, isCopied }) => (isCopied ? t('copy.done', { count }) : null),
    invalidate: 'GET /api/exports',
    onSaved: ({ isCopied }) => {
      if (isCopied) onClose()
    },
  })
  const copy = (purpose: string) => {
    const request = api('POST /api/exports', { body: { ...target, purpose, format: 'emails' } })
    const emails = request.then((exported) => exported.emails)
    // The clipboard gets a promise before the mutation runs, because Safari writes only within the press itself.
    save({ emails, whenCopied: writeToClipboard(emails) })
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

async function writeToClipboard(emails: Promise<string[]>): Promise<boolean> {
  const toBlob = (all: string[]) => new Blob([all.join('; ')], { type: 'text/plain' })
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': emails.then(toBlob) })])
    return true
  } catch {
    return false
  }
}
