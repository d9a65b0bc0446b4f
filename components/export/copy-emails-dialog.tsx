import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from '@/components/ui/toast'
import { api, keyOf } from '@/lib/api/call'
import type { NewExport } from '@/lib/contract/export'
import type { ExportDialogProps } from './export-dialog'
import { reasonOf } from './export-run'
import { PurposeDialog, usePurposeForm } from './purpose-form'

type CopyEmailsDialogProps = Pick<ExportDialogProps, 'list' | 'target' | 'count' | 'onClose'>

export function CopyEmailsDialog({ list, target, onClose }: CopyEmailsDialogProps) {
  const t = useTranslations('export')
  const form = usePurposeForm({ list, ...target }, 'emails')
  const { isBusy, error, copy } = useCopyEmails(onClose)
  const { tally } = form
  const hasNobody = tally !== undefined && tally.withEmail === 0
  const start = () => {
    const purpose = form.check()
    if (purpose !== null) void copy({ list, ...target, purpose })
  }
  const problem = hasNobody ? t('copy.nobody') : (error ?? form.failure)
  const isReady = tally !== undefined && !form.isCounting && !hasNobody
  return (
    <PurposeDialog
      title={t('copy.title')}
      form={form}
      problem={problem}
      send={{ text: t('copy.start'), busy: isBusy, disabled: !isReady }}
      onSubmit={start}
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

const SEPARATOR = '; '

function useCopyEmails(onDone: () => void) {
  const t = useTranslations('export')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const copy = async (request: NewExport) => {
    setBusy(true)
    setError(null)
    const fetched = api('POST /api/exports', { body: { ...request, format: 'emails' } })
    try {
      const isCopied = await writeClipboard(fetched.then(({ emails }) => emails.join(SEPARATOR)))
      const answer = await fetched
      if (isCopied) {
        toast(t('copy.done', { count: answer.emails.length }))
        onDone()
      } else setError(t('copy.blocked'))
    } catch (failure) {
      setError(t(`failed.${reasonOf(failure)}`))
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: keyOf('GET /api/exports') })
    }
  }
  return { isBusy, error, copy }
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
