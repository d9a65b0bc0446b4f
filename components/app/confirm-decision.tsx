import { useTranslations } from 'next-intl'
import { ConfirmDialog } from '@/components/ui/dialog'
import type { TriageDecision } from '@/lib/inbox/own-changes'

type ConfirmDecisionProps = { count: number; decision: TriageDecision; onYes: () => void; onClose: () => void }

export function ConfirmBulkDialog({ count, decision, onYes, onClose }: ConfirmDecisionProps) {
  const t = useTranslations('confirm')
  const { status = 'in-progress', assignee } = decision
  const key = status === 'in-progress' && assignee ? 'take' : status
  const texts = { title: t(`title.${key}`, { count }), text: t('text', { count }), yes: t(`yes.${key}`, { count }) }
  const confirm = () => {
    onClose()
    onYes()
  }
  return <ConfirmDialog {...texts} isPrimary onYes={confirm} onNo={onClose} />
}

/** Asks before leads with unsent replies are closed. Enter and Escape keep the replies. */
export function DiscardDraftsDialog({ count, decision: { status }, onYes, onClose }: ConfirmDecisionProps) {
  const t = useTranslations('confirm.draft')
  const yes = t(status === 'dismissed' ? 'yes.dismissed' : 'yes.handled')
  const texts = { title: t('title', { count }), text: t('text'), yes, no: t('no') }
  const discard = () => {
    onClose()
    onYes()
  }
  return <ConfirmDialog {...texts} onYes={discard} onNo={onClose} />
}
