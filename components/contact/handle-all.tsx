import { CheckCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCommands } from '@/components/app/commands'
import { useCurrentUser } from '@/components/app/current-user'
import { useSchoolNames } from '@/components/app/schools'
import { useTriage } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import type { ContactLead, LeadRef } from '@/lib/contract/lead'
import { isQuestion } from '@/lib/inbox/lead-text'
import { shownKeys } from '@/lib/keyboard/commands'

const MAX_TITLES = 6

type HandleAllProps = {
  /** All are one person's (`leadsOfOnePerson`): with two names, as of siblings, it is not known who asked. */
  leads: readonly ContactLead[]
  from?: LeadRef | undefined
  onHandled?: (handled: readonly LeadRef[]) => void
  onUndone?: (leads: readonly LeadRef[]) => void
}

export function HandleAll({ leads, from, onHandled, onUndone }: HandleAllProps) {
  const t = useTranslations('contact.allOpen')
  const schools = useSchoolNames()
  const triage = useTriage()
  const me = useCurrentUser()?.id
  const open = leads.filter(({ lead }) => lead.triage.status === 'new' || lead.triage.status === 'in-progress')
  const isOffered = open.length > 1
  const handle = () => {
    const named = open.map(({ kind, lead }) => ({ kind, id: lead.id, item: lead }))
    triage.change(named, { status: 'handled' }, { from, onUndone })
    onHandled?.(named)
  }
  useCommands({ handleAll: isOffered ? handle : undefined })
  if (!isOffered) return null
  const titles = open.slice(0, MAX_TITLES).map(({ lead }) => {
    const title = t(isQuestion(lead) ? 'question' : 'declaration', { school: schools.of(lead) })
    const { assignee } = lead.triage
    return assignee === null || assignee.id === me ? title : t('of', { title, name: assignee.name })
  })
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-side px-3.5 py-2.5 text-sm print:hidden">
      <p className="min-w-[min(12rem,100%)] flex-1 wrap-anywhere">
        <span className="font-medium">{t('open', { count: open.length })}</span>{' '}
        <span className="text-mute">{`${titles.join(', ')}${open.length > titles.length ? ' …' : ''}`}</span>
        <span className="block text-xs text-mute">{t('will')}</span>
      </p>
      <Button
        size="sm"
        icon={CheckCheck}
        text={t('handle', { count: open.length })}
        shortcut={shownKeys('handleAll').join('+')}
        onClick={handle}
      />
    </div>
  )
}
