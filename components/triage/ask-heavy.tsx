import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import type { LeadList } from '@/lib/contract/lead'
import type { TriageDecision } from '@/lib/inbox/triage-history'

type AskHeavyProps = {
  list: LeadList
  count: number
  decision: TriageDecision
  onYes: () => void
  onClose: () => void
}

/** Asks before many leads are changed at once: what becomes of how many. Enter does it, Escape does not. */
export function AskHeavy({ list, count, decision, onYes, onClose }: AskHeavyProps) {
  const t = useTranslations('changes.ask')
  const common = useTranslations('common')
  const { status = 'in-progress', assignee } = decision
  const form = status === 'in-progress' && assignee ? 'take' : status
  const confirm = () => {
    onClose()
    onYes()
  }
  return (
    <Dialog open onClose={onClose} title={t(`${list}.${form}`, { count })}>
      <Confirmation
        text={t('text', { count })}
        actions={
          <>
            <Button onClick={onClose}>{common('cancel')}</Button>
            <Button ref={focusFirst} variant="primary" onClick={confirm}>
              {t(`yes.${form}`, { count })}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}

/** The dialog gives the focus to what says so when it opens; React's own attribute comes too early for that. */
function focusFirst(button: HTMLButtonElement | null): void {
  button?.setAttribute('autofocus', '')
}
