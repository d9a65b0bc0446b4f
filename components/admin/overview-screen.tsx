'use client'

import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { DeskLink } from '@/components/app/navigate'
import { ADMIN_SCREENS } from '@/components/app/screens'
import { EmptyState } from '@/components/ui/empty-state'
import { FAULTS, type Finding, GAPS } from '@/lib/contract/service-report'
import { AdminPage } from './admin-page'

const REMEDY_HREFS: Record<Finding['kind'], string> = {
  failing: '/admin/status',
  heldBack: '/admin/status',
  purge: '/admin/status',
  signOn: '/admin/status',
  unreadable: '/admin/status',
  mail: '/admin/status#mail',
  blind: '/admin/users',
  oneAdmin: '/admin/users',
  invited: '/admin/users',
  secondFactor: '/admin/users#sign-in-rules',
  workFrom: '/admin/work',
  replyTo: '/admin/work#schools',
  templates: '/admin/work#templates',
}

export function OverviewScreen({ findings }: { findings: readonly Finding[] }) {
  const t = useTranslations('admin')
  const tShell = useTranslations('shell')
  const sections = [
    { name: 'faults', kinds: FAULTS, Icon: CircleX, colour: 'text-danger' },
    { name: 'gaps', kinds: GAPS, Icon: CircleDashed, colour: 'text-mute' },
  ] as const
  return (
    <AdminPage title={t('overview.title')} intro={t('overview.intro')}>
      {findings.length === 0 && (
        <EmptyState icon={<CircleCheck />} title={t('overview.none')} hint={t('overview.noneHint')} />
      )}
      {sections.map(({ name, kinds, Icon, colour }) => {
        const sectionFindings = findings.filter(({ kind }) => kinds.some((item) => item === kind))
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
                    href={REMEDY_HREFS[kind]}
                    className="text-link font-medium text-accent hover:text-accent-strong"
                  >
                    {tShell(findScreenName(REMEDY_HREFS[kind]))}
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

function findScreenName(href: string) {
  const [path] = href.split('#')
  return ADMIN_SCREENS.find((screen) => screen.href === path)?.name ?? 'administration'
}
