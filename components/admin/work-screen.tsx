'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DeskLink } from '@/components/desk/go'
import { buttonClass } from '@/components/ui/button-class'
import { PageHeader } from '@/components/ui/page-header'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { HighSchool } from '@/lib/contract/lead'
import type { WorkSettings } from '@/lib/contract/work-settings'
import { AnswerGoals } from './answer-goals'
import { OwnDates } from './own-dates'
import { ReplyAddresses } from './reply-addresses'
import { StandingSection } from './standing-section'
import { WorkFrom } from './work-from'

type WorkScreenProps = { first: WorkSettings; cycle: AdmissionCycle; schools: readonly HighSchool[] }

/** What administrators set for everybody's work; each part is saved by itself. */
export function WorkScreen({ first, cycle, schools }: WorkScreenProps) {
  const t = useTranslations('work')
  const [settings, setSettings] = useState(first)
  return (
    <div className="page">
      <div className="max-w-2xl">
        <PageHeader
          title={t('title')}
          lead={t('lead')}
          action={
            <DeskLink href="/welcome" className={buttonClass()}>
              {t('welcomeAgain')}
            </DeskLink>
          }
        />
      </div>
      <WorkFrom settings={settings} cycle={cycle} onSaved={setSettings} />
      <AnswerGoals settings={settings} onSaved={setSettings} />
      <StandingSection />
      <OwnDates settings={settings} onSaved={setSettings} />
      <ReplyAddresses settings={settings} schools={schools} onSaved={setSettings} />
    </div>
  )
}
