'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { TitledSection } from '@/components/ui/headings'
import type { ReplyTemplate } from '@/lib/contract/templates'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle, WorkSettings } from '@/lib/contract/settings'
import { AdminPage } from './admin-page'
import { CycleForm } from './cycle-form'
import { SchoolSettingsForm } from './school-settings-form'
import { TemplateList } from './templates-screen'
import { ToDoForm } from './to-do-form'

type WorkScreenProps = {
  initialSettings: WorkSettings
  cycle: AdmissionCycle
  schools: readonly HighSchool[]
  canMail: boolean
  templates: ReplyTemplate[]
}

export function WorkScreen({ initialSettings, cycle: initialCycle, schools, canMail, templates }: WorkScreenProps) {
  const t = useTranslations('work')
  const tTemplates = useTranslations('templates')
  const [cycle, setCycle] = useState(initialCycle)
  return (
    <AdminPage title={t('title')} intro={t('intro')}>
      <div className="grid items-start gap-4 min-[70rem]:grid-cols-2">
        <ToDoForm initialSettings={initialSettings} cycle={cycle} />
        <CycleForm savedCycle={cycle} onSaved={setCycle} />
      </div>
      <SchoolSettingsForm initialSettings={initialSettings} schools={schools} canMail={canMail} />
      <TitledSection id="templates" title={tTemplates('title')} hint={tTemplates('intro')}>
        <TemplateList initialTemplates={templates} />
      </TitledSection>
    </AdminPage>
  )
}
