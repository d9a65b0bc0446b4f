import { UserRoundPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { lazyDialog } from '@/components/desk/lazy-part'
import { StatusMenu } from '@/components/triage/status-menu'
import { useTriage } from '@/components/triage/use-triage'
import { Avatar } from '@/components/ui/avatar'
import { buttonClass } from '@/components/ui/button-class'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind } from '@/lib/contract/lead'
import { nameOf } from '@/lib/inbox/lead-text'
import type { TriageDecision } from '@/lib/inbox/triage-history'

const AssignDialog = lazyDialog(async () => (await import('@/components/triage/assign-dialog')).AssignDialog)

/** What can be decided about one lead of a contact, as where it is opened: its status, and who looks after it. */
export function EntryDecisions({ kind, lead }: { kind: LeadKind; lead: LeadItem }) {
  const t = useTranslations('lead')
  const triage = useTriage()
  const [isAssigning, setAssigning] = useState(false)
  const { status, assignee } = lead.triage
  const decide = (decision: TriageDecision) =>
    void triage.change([{ kind, id: lead.id, triage: lead.triage, name: nameOf(lead) }], decision)
  return (
    <>
      <StatusMenu status={status} size="sm" onStatus={(next) => decide({ status: next })} />
      <button
        type="button"
        aria-label={assignee === null ? undefined : t('assignee', { name: assignee.name })}
        onClick={() => setAssigning(true)}
        className={buttonClass({ size: 'sm', className: 'min-w-0' })}
      >
        {assignee === null ? <UserRoundPlus aria-hidden className="size-3.5" /> : <Avatar name={assignee.name} />}
        <span className="max-w-36 truncate">{assignee?.name ?? t('assign')}</span>
      </button>
      {isAssigning && (
        <AssignDialog
          count={1}
          school={lead.highSchoolId}
          assignee={assignee}
          onAssign={(person) => decide({ assignee: person })}
          onClose={() => setAssigning(false)}
        />
      )}
    </>
  )
}
