'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { useDayAndTime } from '@/components/browser/clock'
import { useIsLive } from '@/components/browser/live'
import { useIsListMissing, useStatus } from '@/components/desk/feed-status'
import { DeskLink } from '@/components/desk/navigate'
import { NoDataYet } from '@/components/desk/no-data-yet'
import { Badge } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button-class'
import { CardHeading, PageHeader } from '@/components/ui/headings'
import { api } from '@/lib/api/call'
import type { AdmissionCycle, WorkSettings } from '@/lib/contract/settings'
import type { HighSchool, LeadList } from '@/lib/contract/lead'
import { listTotal } from '@/lib/api/queries'
import { FEED_LISTS, LEAD_LISTS } from '@/lib/contract/lists'
import { WorkFrom } from './work-from'

type WelcomeScreenProps = ConnectedToProps & { settings: WorkSettings; cycle: AdmissionCycle; people: number }

export function WelcomeScreen({ settings: initial, cycle, schools, host, people }: WelcomeScreenProps) {
  const t = useTranslations('work.welcome')
  const [settings, setSettings] = useState(initial)
  const saved = { params: { name: 'welcome' }, body: { value: { seen: true } } }
  const seen = () => void api('PUT /api/preferences/[name]', saved).catch(() => {})
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} />
      <ConnectedTo host={host} schools={schools} />
      <WorkFrom settings={settings} cycle={cycle} onSaved={setSettings} />
      <Card title={t('invite')} lead={t('people', { count: people })}>
        <DeskLink href="/admin/users" className={buttonClass()}>
          {t('toUsers')}
        </DeskLink>
      </Card>
      <Card title={t('keys')} lead={t('keysLead')}>
        <ul className="grid gap-2 text-sm">
          {(['move', 'reply', 'handled'] as const).map((name) => (
            <li key={name} className="flex items-center gap-3">
              <span className="flex w-14 shrink-0 gap-1">
                {KEYS[name].map((key) => (
                  <kbd
                    key={key}
                    className="grid size-6 place-items-center rounded-sm border border-line bg-side text-xs font-medium text-ink"
                  >
                    {key}
                  </kbd>
                ))}
              </span>
              {t(`key.${name}`)}
            </li>
          ))}
        </ul>
      </Card>
      <div className="flex max-w-2xl flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-mute">{t('later')}</p>
        <DeskLink href="/today" onNavigate={seen} className={buttonClass({ variant: 'primary' })}>
          {t(settings.work === null ? 'skip' : 'begin')}
        </DeskLink>
      </div>
    </div>
  )
}

const KEYS = { move: ['j', 'k'], reply: ['r'], handled: ['e'] } as const

const cardClass = 'max-w-2xl rounded-lg border border-line bg-panel shadow-card'

function Card({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`flex flex-col items-start gap-3 p-4 ${cardClass}`}>
      <CardHeading id={id} title={title} hint={lead} />
      {children}
    </section>
  )
}

/** `host` is the service's; null in the demo, which has a service of its own. */
type ConnectedToProps = { host: string | null; schools: readonly HighSchool[] }

const FIRST_SCHOOLS = 12

function ConnectedTo({ host, schools }: ConnectedToProps) {
  const t = useTranslations('work.connected')
  const id = useId()
  const others = schools.length - FIRST_SCHOOLS
  const isNothingYet = useIsListMissing(FEED_LISTS) ?? schools.length === 0
  const from = host === null ? t('demo') : t('host', { host })
  if (isNothingYet)
    return (
      <div className={cardClass}>
        <NoDataYet lists={FEED_LISTS}>
          <p className="mt-1 wrap-anywhere">{from}</p>
        </NoDataYet>
      </div>
    )
  return (
    <section aria-labelledby={id} className={cardClass}>
      <CardHeading id={id} title={t('title')} hint={from} className="px-4 pt-4 pb-3" />
      <dl className="grid grid-cols-2 border-y border-line-soft">
        {LEAD_LISTS.map((list) => (
          <ListSize key={list} list={list} />
        ))}
      </dl>
      <div className="px-4 py-3">
        <h3 className="text-sm font-medium">{t('schools', { count: schools.length })}</h3>
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {schools.slice(0, FIRST_SCHOOLS).map((school) => (
            <li key={school.id} className="max-w-full">
              <Badge tone="outline">
                <span className="truncate">{school.name}</span>
              </Badge>
            </li>
          ))}
          {others > 0 && <li className="text-xs leading-5 text-mute">{t('more', { count: others })}</li>}
        </ul>
      </div>
    </section>
  )
}

function ListSize({ list }: { list: LeadList }) {
  const t = useTranslations('work.connected')
  const when = useDayAndTime()
  const { data: counts } = useQuery(listTotal(list, useIsLive()))
  const fetchedAt = useStatus().data?.lists[list]?.fetchedAt
  return (
    <div className="flex flex-col px-4 py-3 not-first:border-l not-first:border-line-soft">
      <dt className="text-xs text-mute">{t(list)}</dt>
      <dd className="order-first">
        <span className="tabular block text-title leading-8 font-semibold">
          {counts === undefined ? '–' : t('size', { count: counts.total })}
        </span>
      </dd>
      <dd className="text-xs text-faint">{fetchedAt ? t('fetched', { when: when(fetchedAt) }) : t('notYet')}</dd>
    </div>
  )
}
