import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { DeskLink } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { LiftProtectionButton, NamedUsersButton } from '@/components/contact/protection'
import { buttonClass } from '@/components/ui/button-class'
import { TitledSection } from '@/components/ui/headings'
import { OutdatedBanner } from '@/components/ui/notice'
import { apiQuery } from '@/lib/api/call'
import type { Answer } from '@/lib/contract/endpoints'
import type { ProtectionEntry } from '@/lib/contract/rights'
import { formatFullTime } from '@/lib/time/format-date'

/** Lists the protected identities, without what only the named users may see. */
export function ProtectionsSection({ initialProtections }: { initialProtections: Answer<'GET /api/protections'> }) {
  const t = useTranslations('rights.list')
  const { data, isError } = useQuery({
    ...apiQuery('GET /api/protections'),
    initialData: initialProtections,
    refetchOnWindowFocus: true,
  })
  return (
    <TitledSection id="protections" title={t('title')} hint={t('intro')}>
      {isError && <OutdatedBanner />}
      {data.protections.length === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {data.protections.map((protection) => (
            <ProtectionCard key={protection.id} protection={protection} />
          ))}
        </ul>
      )}
    </TitledSection>
  )
}

/** `details` is null for a user who may not see the protected person. */
function ProtectionCard({ protection }: { protection: ProtectionEntry }) {
  const { id, since, by: startedBy, people: namedUsers, shown: details, leads: leadCount, schools } = protection
  const t = useTranslations('rights.list')
  const locale = useLocale()
  const format = useFormatter()
  const { nameById } = useSchoolNames()
  const joinNames = (users: ProtectionEntry['people']) => format.list(users.map(({ name }) => name || t('former')))
  const startFacts = [t('since', { when: formatFullTime(Date.parse(since), locale) })]
  if (startedBy !== null) startFacts.push(t('by', { name: joinNames([startedBy]) }))
  return (
    <li className="card px-4 py-3.5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="flex items-center gap-2 font-semibold">
            <ShieldCheck className="size-4 shrink-0 text-accent" />
            <span>{leadCount === null ? t('unknown') : t('leads', { count: leadCount })}</span>
            {leadCount !== null && schools.length > 0 && t('at', { schools: format.list(schools.map(nameById)) })}
          </h3>
          <p className="tabular text-sm text-mute">{startFacts.join(' · ')}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {details?.contactId && (
            <DeskLink href={`/contacts/${details.contactId}`} className={buttonClass({ size: 'sm' })}>
              {t('show')}
            </DeskLink>
          )}
          <NamedUsersButton text={t('change')} id={id} userIds={namedUsers.map((user) => user.id)} />
          {/* The protection can be lifted here too, because a person without leads has no contact page. */}
          {details !== null && <LiftProtectionButton id={id} />}
        </div>
      </div>
      <p className="mt-1.5 text-sm wrap-anywhere">
        {t.rich('people', { names: joinNames(namedUsers), b: (names) => <span className="font-medium">{names}</span> })}
      </p>
      <p className="mt-1.5 text-sm wrap-anywhere text-mute">
        {details === null ? t('hidden') : t('reason', { reason: details.reason })}
      </p>
    </li>
  )
}
