import { CheckCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCommands } from '@/components/app/commands'
import { useCurrentUser } from '@/components/app/current-user'
import { useSchoolNames } from '@/components/app/schools'
import { useTriage } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import type { LeadItem } from '@/lib/api/leads'
import type { Contact, LeadRef } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { listShownKeys } from '@/lib/keyboard/commands'
import { selectPersonLeads } from './person'

export type HandleAllCallbacks = {
  onHandled: (leads: readonly LeadRef[]) => void
  onUndone: (leads: readonly LeadRef[]) => void
}

type HandleAllProps = Partial<HandleAllCallbacks> & {
  contact: Contact | undefined
  /** These leads tell which person is meant. Nothing is offered if they have two names, as siblings' leads do. */
  anchorLeads: readonly LeadItem[]
  originLead?: LeadRef
}

export function HandleAllPanel({ contact, anchorLeads, originLead, onHandled, onUndone }: HandleAllProps) {
  const t = useTranslations('contact.allOpen')
  const schoolNames = useSchoolNames()
  const triage = useTriage()
  const ownId = useCurrentUser()?.id
  const personLeads = contact === undefined ? [] : selectPersonLeads(contact, anchorLeads)
  const openLeads = personLeads.filter(({ lead }) => !isClosed(lead.triage.status))
  const isOffered = openLeads.length > 1
  const handleAll = () => {
    const targets = openLeads.map(({ kind, lead }) => ({ kind, id: lead.id, item: lead }))
    triage.change(targets, { status: 'handled' }, { originLead, onUndone })
    onHandled?.(targets)
  }
  useCommands({ handleAll: isOffered ? handleAll : undefined })
  if (!isOffered) return null
  const titles = openLeads.map(({ lead }) => {
    const title = t(isQuestion(lead) ? 'question' : 'declaration', { school: schoolNames.nameForLead(lead) })
    const { assignee } = lead.triage
    return assignee === null || assignee.id === ownId ? title : t('titleOf', { title, name: assignee.name })
  })
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-side px-3.5 py-2.5 text-sm print:hidden">
      <p className="min-w-[min(12rem,100%)] flex-1 wrap-anywhere">
        <span className="font-medium">{t('open', { count: openLeads.length })}</span>{' '}
        <span className="text-mute">{titles.join(', ')}</span>
        <span className="block text-xs text-mute">{t('willHandle')}</span>
      </p>
      <Button
        size="sm"
        icon={CheckCheck}
        text={t('handle', { count: openLeads.length })}
        shortcut={listShownKeys('handleAll').join('+')}
        onClick={handleAll}
      />
    </div>
  )
}
