import { ShieldAlert } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useSchoolNames } from '@/components/app/schools'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import type { ProtectedMark } from '@/lib/contract/lead'

export function HiddenLead({ item, mark: { people } }: { item: LeadItem; mark: ProtectedMark }) {
  const t = useTranslations('lead.protected')
  const schools = useSchoolNames()
  const format = useFormatter()
  return (
    <EmptyState
      icon={<ShieldAlert />}
      title={t('title')}
      hint={
        <>
          <p className="font-medium wrap-anywhere">{schools.of(item)}</p>
          <p>{t('hidden')}</p>
          <p>
            {people.length === 0 ? t('askAdmin') : t('ask', { people: format.list(people, { type: 'disjunction' }) })}
          </p>
        </>
      }
    />
  )
}

export function ProtectedNotice({ people }: Pick<ProtectedMark, 'people'>) {
  const t = useTranslations('lead.protected')
  const format = useFormatter()
  return (
    <Notice size="sm" className="mb-4 flex items-start gap-2">
      <ShieldAlert className="mt-0.5 size-4 shrink-0" />
      {t('shown', { people: format.list(people) })}
    </Notice>
  )
}
