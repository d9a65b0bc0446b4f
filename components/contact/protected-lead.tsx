import { ShieldAlert } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { withMessages } from '@/components/desk/lazy-area'
import { useSchoolNames } from '@/components/desk/schools'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import type { ProtectedMark } from '@/lib/contract/lead'

export function HiddenLead({ item, mark }: { item: LeadItem; mark: ProtectedMark }) {
  const t = useTranslations('inbox')
  const schools = useSchoolNames()
  return (
    <EmptyState
      icon={<ShieldAlert />}
      title={t('protected')}
      hint={
        <>
          <p className="font-medium wrap-anywhere">{schools.of(item)}</p>
          <WhomToAsk people={mark.people} />
        </>
      }
    />
  )
}

type WhoProps = Pick<ProtectedMark, 'people'>

const WhomToAsk = withMessages(WhomToAskContent, ['contact'])

function WhomToAskContent({ people }: WhoProps) {
  const t = useTranslations('contact.protected')
  const format = useFormatter()
  return (
    <>
      <p>{t('hidden')}</p>
      <p>{people.length === 0 ? t('askAdmin') : t('ask', { people: format.list(people, { type: 'disjunction' }) })}</p>
    </>
  )
}

export const ProtectedNotice = withMessages(ProtectedNoticeContent, ['contact'])

function ProtectedNoticeContent({ people }: WhoProps) {
  const t = useTranslations('contact.protected')
  const format = useFormatter()
  return (
    <Notice size="sm" className="mb-4 flex items-start gap-2">
      <ShieldAlert className="mt-0.5 size-4 shrink-0" />
      {t('shown', { people: format.list(people) })}
    </Notice>
  )
}
