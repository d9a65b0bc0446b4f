'use client'

import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { DeskLink } from '@/components/app/navigate'
import { EmptyState } from '@/components/ui/empty-state'
import { FAULTS, type Finding, GAPS } from '@/lib/contract/service-report'
import { AdminPage } from './admin-page'

const ON_STATUS_PAGE = { screen: 'systemStatus', href: '/admin/status' } as const
const ON_USERS_PAGE = { screen: 'users', href: '/admin/users' } as const

/** Each fault or gap is put right on this screen. */
const REMEDIES: Record<Finding['kind'], { screen: 'users' | 'work' | 'systemStatus'; href: string }> = {
  failing: ON_STATUS_PAGE,
  heldBack: ON_STATUS_PAGE,
  purge: ON_STATUS_PAGE,
  signOn: ON_STATUS_PAGE,
  unreadable: ON_STATUS_PAGE,
  mail: { screen: 'systemStatus', href: '/admin/status#mail' },
  blind: ON_USERS_PAGE,
  oneAdmin: ON_USERS_PAGE,
  invited: ON_USERS_PAGE,
  secondFactor: { screen: 'users', href: '/admin/users#sign-in-rules' },
  workFrom: { screen: 'work', href: '/admin/work' },
  replyTo: { screen: 'work', href: '/admin/work#schools' },
  templates: { screen: 'work', href: '/admin/work#templates' },
}

export function OverviewScreen({ findings }: { findings: readonly Finding[] }) {
  const t = useTranslations('admin')
  const screenName = useTranslations('shell')
  const sections = [
    { name: 'faults', kinds: FAULTS, Icon: CircleX, colour: 'text-danger' },
    { name: 'gaps', kinds: GAPS, Icon: CircleDashed, colour: 'text-mute' },
  ] as const
  return (
    <AdminPage title={t('overview.title')} intro={t('overview.lead')}>
      {findings.length === 0 && (
        <EmptyState icon={<CircleCheck />} title={t('overview.none')} hint={t('overview.noneHint')} />
      )}
      {sections.map(({ name, kinds, Icon, colour }) => {
        const sectionFindings = findings.filter(({ kind }) => kinds.some((one) => one === kind))
        if (sectionFindings.length === 0) return null
        return (
          <section key={name} aria-labelledby={name} className="max-w-3xl">
            <h2 id={name} className="mb-2 text-base font-semibold">
              {t(`overview.${name}`)}
            </h2>
            <ul className="card">
              {sectionFindings.map(({ kind, list, count = 0 }) => (
                <li key={`${kind} ${list}`} className="card-row text-sm">
                  <Icon className={`size-4.5 shrink-0 ${colour}`} />
                  <span className="min-w-0 flex-1 basis-52">
                    {t(`overview.finding.${kind}`, { count, list: list ? t(`status.list.${list}`) : '' })}
                  </span>
                  <DeskLink
                    href={REMEDIES[kind].href}
                    className="text-link font-medium text-accent hover:text-accent-strong"
                  >
                    {screenName(REMEDIES[kind].screen)}
                  </DeskLink>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </AdminPage>
  )
}
