'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { DeskLink } from '@/components/desk/go'
import { buttonClass } from '@/components/ui/button-class'
import { PageHeader } from '@/components/ui/page-header'
import { api } from '@/lib/api/call'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { HighSchool } from '@/lib/contract/lead'
import type { WorkSettings } from '@/lib/contract/work-settings'
import { ConnectedTo } from './connected-to'
import { WorkFrom } from './work-from'

type WelcomeScreenProps = {
  settings: WorkSettings
  cycle: AdmissionCycle
  schools: readonly HighSchool[]
  /** Of the service; null in the demo, which has one of its own. */
  host: string | null
  people: number
}

/** The first day: what was connected, from when leads are work, whom to invite, and the keys to know. Nothing of it has to be done. */
export function WelcomeScreen({ settings: first, cycle, schools, host, people }: WelcomeScreenProps) {
  const t = useTranslations('work.welcome')
  const [settings, setSettings] = useState(first)
  // Whoever leaves by this button has seen it; it stays in the settings.
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
        <DeskLink href="/today" onGo={seen} className={buttonClass({ variant: 'primary' })}>
          {t(settings.work === null ? 'skip' : 'begin')}
        </DeskLink>
      </div>
    </div>
  )
}

const KEYS = { move: ['j', 'k'], reply: ['r'], handled: ['e'] } as const

function Card({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex max-w-2xl flex-col items-start gap-3 rounded-lg border border-line bg-panel p-4 shadow-card"
    >
      <div>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="mt-1 max-w-prose text-sm text-pretty text-mute">{lead}</p>
      </div>
      {children}
    </section>
  )
}
