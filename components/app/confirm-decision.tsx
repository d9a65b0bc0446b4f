import { useTranslations } from 'next-intl'
import { ConfirmDialog } from '@/components/ui/dialog'
import type { TriageDecision } from '@/lib/inbox/own-changes'

type ConfirmDecisionProps = { count: number; decision: TriageDecision; onYes: () => void; onClose: () => void }

export function ConfirmBulkDialog({ count, decision, ...answers }: ConfirmDecisionProps) {
  const t = useTranslations('confirm')
  const { status = 'in-progress', assignee } = decision
  const form = status === 'in-progress' && assignee ? 'take' : status
  const texts = { title: t(`title.${form}`, { count }), text: t('text', { count }), yes: t(`yes.${form}`, { count }) }
  return <ConfirmDialog {...texts} isPrimary {...closeFirst(answers)} />
}

/** Asks before leads with unsent replies are closed. Enter and Escape keep the replies. */
export function DiscardDraftsDialog({ count, decision: { status }, ...answers }: ConfirmDecisionProps) {
  const t = useTranslations('confirm.draft')
  const yes = t(status === 'dismissed' ? 'yes.dismissed' : 'yes.handled')
  const texts = { title: t('title', { count }), text: t('text'), yes, no: t('no') }
  return <ConfirmDialog {...texts} {...closeFirst(answers)} />
}

function closeFirst({ onYes, onClose }: Pick<ConfirmDecisionProps, 'onYes' | 'onClose'>) {
  const closeAndConfirm = () => {
    onClose()
    onYes()
  }
  return { onYes: closeAndConfirm, onNo: onClose }
}
