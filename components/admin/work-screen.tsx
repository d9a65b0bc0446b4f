'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/app/clock'
import { SettingsForm, useSaveForm } from '@/components/app/save-form'
import { useTextSearch } from '@/components/ui/choice-list'
import { Input, Select, SelectField, TextField } from '@/components/ui/field'
import { TitledSection } from '@/components/ui/headings'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { HighSchool } from '@/lib/contract/lead'
import { LEAD_KINDS, MAIL_WAYS } from '@/lib/contract/lists'
import type { AdmissionCycle, WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { findDefaultCohort, toCycleDay } from '@/lib/interest/cohort'
import { formatDate } from '@/lib/time/format-time'
import { dayText, stockholmDay } from '@/lib/time/stockholm'
import { AdminPage, ListSearch } from './admin-page'
import { CycleForm } from './cycle-form'
import { TemplateList } from './templates-screen'

type WorkScreenProps = {
  initial: WorkSettings
  cycle: AdmissionCycle
  schools: readonly HighSchool[]
  canMail: boolean
  templates: ReplyTemplate[]
}

export function WorkScreen({ initial, cycle: initialCycle, schools, canMail, templates }: WorkScreenProps) {
  const t = useTranslations('work')
  const templatesText = useTranslations('templates')
  const [cycle, setCycle] = useState(initialCycle)
  return (
    <AdminPage title={t('title')} intro={t('lead')}>
      <div className="grid items-start gap-4 min-[70rem]:grid-cols-2">
        <ToDoForm initial={initial} cycle={cycle} />
        <CycleForm saved={cycle} onSaved={setCycle} />
      </div>
      <SchoolSettingsForm initial={initial} schools={schools} canMail={canMail} />
      <TitledSection id="templates" title={templatesText('title')} hint={templatesText('lead')}>
        <TemplateList initial={templates} />
      </TitledSection>
    </AdminPage>
  )
}

/** Sets from which day leads count as to do, and in how many days they are to be answered. */
function ToDoForm({ initial, cycle }: { initial: WorkSettings; cycle: AdmissionCycle }) {
  const t = useTranslations('work.toDo')
  const locale = useLocale()
  const [{ work, goals: savedGoals }, onSaved] = useState(initial)
  const today = stockholmDay(useToday())
  const cohort = findDefaultCohort(today, cycle)
  const seasonStart = dayText(toCycleDay(cohort - 1, cycle.reservesEnd) + 1)
  const presetDays = { today, year: seasonStart, all: null }
  const presetName = (['today', 'year', 'all'] as const).find((name) => presetDays[name] === work?.from)
  const saved = work === null ? 'today' : (presetName ?? 'own')
  const [choice, setChoice] = useState<typeof saved>(saved)
  const [ownDay, setOwnDay] = useState(saved === 'own' ? (work?.from ?? '') : '')
  const [goals, setGoals] = useState(savedGoals)
  const firstDay = { ...presetDays, own: ownDay }[choice]
  const isPossible = choice !== 'own' || (ownDay !== '' && ownDay <= today)
  const changes = {
    ...(work?.from !== firstDay && { work: { from: firstDay } }),
    ...(LEAD_KINDS.some((kind) => goals[kind] !== savedGoals[kind]) && { goals }),
  }
  const saving = useSaveSettings(changes, onSaved)
  const longDate = (day: string) => formatDate(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }, locale)
  const hints = {
    today: longDate(today),
    year: t('yearHint', { day: longDate(seasonStart) }),
    all: t('allHint', { year: String(cohort) }),
    own: undefined,
  }
  // More days are offered if a caller of the API has set a larger goal.
  const maxDays = Math.max(10, ...Object.values(savedGoals).map(Number))
  const days = Array.from({ length: maxDays }, (_, index) => index + 1)
  const dayOptions = days.map((count) => [String(count), t('days', { count })] as const)
  return (
    <SettingsForm
      saving={saving}
      title={t('title')}
      intro={t(work === null ? 'leadNever' : 'lead')}
      disabled={!isPossible || Object.keys(changes).length === 0}
    >
      <div className="grid items-start gap-4 px-4 py-3 sm:grid-cols-2">
        <SelectField
          label={t('from')}
          hint={hints[choice]}
          value={choice}
          options={(['today', 'year', 'all', 'own'] as const).map((name) => [name, t(`choice.${name}`)])}
          onChoose={setChoice}
        />
        {choice === 'own' && (
          <TextField
            type="date"
            label={t('ownDay')}
            error={ownDay > today ? t('inFuture') : undefined}
            value={ownDay}
            max={today}
            onChange={({ target }) => setOwnDay(target.value)}
          />
        )}
        {LEAD_KINDS.map((kind) => (
          <SelectField
            key={kind}
            label={t(`goal.${kind}`)}
            value={String(goals[kind] ?? '')}
            options={[['', t('noGoal')], ...dayOptions]}
            onChoose={(count) => setGoals({ ...goals, [kind]: count === '' ? null : Number(count) })}
            className="tabular"
          />
        ))}
      </div>
    </SettingsForm>
  )
}

const SCHOOL_SETTINGS = ['mailWay', 'replyTo'] as const
type SchoolSetting = (typeof SCHOOL_SETTINGS)[number]

/** Each school has a row: how its staff mail, and where answers go. A school without a value uses the default. */
function SchoolSettingsForm({ initial, schools, canMail }: Pick<WorkScreenProps, 'initial' | 'schools' | 'canMail'>) {
  const t = useTranslations('work.schools')
  const [settings, onSaved] = useState(initial)
  const { text, setText, matches } = useTextSearch(schools, ({ name }) => name)
  const [chosen, setChosen] = useState<Record<SchoolSetting, Readonly<Record<string, string>>>>({
    mailWay: {},
    replyTo: {},
  })
  const choose = (setting: SchoolSetting, id: string, value: string) =>
    setChosen({ ...chosen, [setting]: { ...chosen[setting], [id]: value } })
  // A setting without changes is not sent, because the activity log would name it.
  const changes = SCHOOL_SETTINGS.flatMap((setting) => {
    const differing = Object.entries(chosen[setting]).filter(([id, value]) => value !== (settings[setting][id] ?? ''))
    const bySchool = Object.fromEntries(differing.map(([id, value]) => [id, value || null]))
    return differing.length === 0 ? [] : [[setting, bySchool] as const]
  })
  const count = new Set(changes.flatMap(([, bySchool]) => Object.keys(bySchool))).size
  const saving = useSaveSettings(Object.fromEntries(changes) as WorkSettingsChange, onSaved, (error) =>
    hasStatus(error, 400) ? t('wrongAddress') : undefined,
  )
  const mailWays = MAIL_WAYS.filter((way) => canMail || way !== 'intag')
  const mailOptions = mailWays.map((way) => [way, t(`way.${way}`)] as const)
  return (
    <SettingsForm
      id="schools"
      saving={saving}
      title={t('title')}
      intro={t('lead')}
      saveLabel={t('save', { count })}
      disabled={count === 0}
      isWide
    >
      {schools.length === 0 && <p className="px-4 py-3 text-sm text-mute">{t('none')}</p>}
      {schools.length > 10 && (
        <div className="border-b border-line-soft px-4 py-2.5">
          <ListSearch
            label={t('search')}
            text={text}
            onText={setText}
            result={matches.length === 0 ? t('noMatch') : t('count', { count: matches.length })}
          />
        </div>
      )}
      <ul className="scroll-thin max-h-120 overflow-y-auto">
        {matches.map(({ id, name: school }) => (
          <li
            key={id}
            className="grid items-center gap-x-4 gap-y-1.5 border-b border-line-soft px-4 py-2 text-sm last:border-b-0 desk:grid-cols-[1fr_minmax(0,19rem)_minmax(0,18rem)]"
          >
            <span className="font-medium wrap-anywhere">{school}</span>
            <Select
              aria-label={t('mailWay', { school })}
              value={chosen.mailWay[id] ?? settings.mailWay[id] ?? ''}
              options={[['', t('usual', { way: t(canMail ? 'way.intag' : 'way.program') })], ...mailOptions]}
              onChoose={(way) => choose('mailWay', id, way)}
            />
            <Input
              type="email"
              aria-label={t('replyTo', { school })}
              maxLength={200}
              autoComplete="off"
              placeholder={t('noReplyTo')}
              defaultValue={chosen.replyTo[id] ?? settings.replyTo[id] ?? ''}
              onChange={({ target }) => choose('replyTo', id, target.value.trim())}
            />
          </li>
        ))}
      </ul>
    </SettingsForm>
  )
}

/** Saves some of the settings. Everything in this tab is then fetched again, because rows and numbers depend on them. */
function useSaveSettings(
  values: WorkSettingsChange,
  onSaved: (settings: WorkSettings) => void,
  failed: (error: Error) => string | undefined = () => undefined,
) {
  const t = useTranslations('work')
  return useSaveForm({
    values,
    failureMessage: failed,
    send: (body) => api('PATCH /api/settings', { body }),
    successMessage: t('saved'),
    invalidate: 'all',
    onSaved,
  })
}
