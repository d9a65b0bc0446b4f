'use client'

import { useQuery } from '@tanstack/react-query'
import { Pencil, ShieldCheck, UserPlus } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { DeskLink } from '@/components/app/navigate'
import { SettingsForm, useSaveForm } from '@/components/app/save-form'
import { useSchoolNames } from '@/components/app/schools'
import { LiftProtectionButton, NamedUsersButton } from '@/components/contact/protection'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { useTextSearch } from '@/components/ui/choice-list'
import { Checkbox } from '@/components/ui/field'
import { TitledSection } from '@/components/ui/headings'
import { IconButton } from '@/components/ui/icon-button'
import { OutdatedBanner } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import { usersQuery } from '@/lib/api/queries'
import type { SignInRules } from '@/lib/contract/account'
import type { Answer } from '@/lib/contract/endpoints'
import type { ProtectionEntry } from '@/lib/contract/rights'
import { ROLES } from '@/lib/contract/roles'
import type { User } from '@/lib/contract/user'
import { formatFullTime } from '@/lib/time/format-date'
import { AdminPage, ListSearch } from './admin-page'
import { UserDialog } from './user-dialog'

type UsersScreenProps = {
  users: User[]
  rules: SignInRules
  protections: Answer<'GET /api/protections'>
  canMail: boolean
}

export function UsersScreen({ users, rules, protections, canMail }: UsersScreenProps) {
  const t = useTranslations('adminUsers')
  const roleName = useTranslations('common.role')
  const me = useCurrentUser()
  const schoolNames = useSchoolNames()
  const { data, isError } = useQuery({ ...usersQuery, initialData: { users } })
  const { text, setText, matches } = useTextSearch(data.users, ({ name, email }) => `${name} ${email}`)
  const [editedId, setEditedId] = useState<string | null>(null)
  return (
    <AdminPage
      title={t('title')}
      intro={t('lead')}
      action={<Button icon={UserPlus} text={t('add')} variant="primary" onClick={() => setEditedId('new')} />}
    >
      {isError && <OutdatedBanner />}
      <ListSearch
        label={t('search')}
        text={text}
        onText={setText}
        result={matches.length === 0 ? t('noMatch') : t('count', { count: matches.length })}
      />
      {matches.length > 0 && (
        <ul className="card overflow-hidden">
          {matches.map(({ id, name, email, role, schools, disabled, pending, breakGlass }) => {
            const hasSchoolNames = schools !== 'all' && schools.length > 0 && schools.length <= 2
            const count = schools === 'all' ? t('schools.all') : t('schools.count', { count: schools.length })
            return (
              <li
                key={id}
                className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1.5 border-b border-line-soft py-2.5 pr-2 pl-4 last:border-b-0 max-[20rem]:grid-cols-[minmax(0,1fr)_auto] max-[20rem]:*:col-start-1 max-[20rem]:*:first:hidden max-[20rem]:*:last:col-start-2 desk:grid-cols-[auto_minmax(0,1.4fr)_9.5rem_minmax(0,1fr)_5.5rem_auto]"
              >
                <Avatar name={name} size="md" />
                <div className="min-w-0">
                  <p className="flex min-w-0 items-center gap-2">
                    <bdi className={`truncate font-medium ${disabled ? 'text-mute line-through' : ''}`}>{name}</bdi>
                    {me?.id === id && <Badge>{t('you')}</Badge>}
                  </p>
                  <p className="truncate text-sm text-mute">{email}</p>
                </div>
                <p className="col-start-2 text-sm desk:col-start-auto">{roleName(role)}</p>
                <p className="col-start-2 min-w-0 truncate text-sm text-mute desk:col-start-auto">
                  {hasSchoolNames ? schools.map(schoolNames.nameById).join(', ') : count}
                </p>
                <p className="col-start-2 desk:col-start-auto">
                  {disabled && <Badge tone="danger">{t('state.disabled')}</Badge>}
                  {!disabled && pending && <Badge tone="warn">{t('state.pending')}</Badge>}
                  {!disabled && !pending && (
                    <Badge tone="outline">{t(breakGlass ? 'state.breakGlass' : 'state.active')}</Badge>
                  )}
                </p>
                <span className="col-start-3 row-start-1 desk:col-start-auto desk:row-start-auto">
                  <IconButton icon={Pencil} label={t('edit', { name })} onClick={() => setEditedId(id)} />
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <SignInRulesForm initial={rules} />
      <ProtectionsSection initial={protections} />
      {editedId !== null && (
        <UserDialog
          user={data.users.find(({ id }) => id === editedId) ?? null}
          canMail={canMail}
          onClose={() => setEditedId(null)}
        />
      )}
    </AdminPage>
  )
}

function SignInRulesForm({ initial }: { initial: SignInRules }) {
  const t = useTranslations('adminUsers.rules')
  const roleName = useTranslations('common.role')
  const [roles, setRoles] = useState(initial.secondFactorFor)
  const saving = useSaveForm({
    values: { secondFactorFor: roles },
    send: (body) => api('PUT /api/sign-in-rules', { body }),
    successMessage: t('saved'),
  })
  return (
    <SettingsForm id="sign-in-rules" saving={saving} title={t('title')} intro={t('body')}>
      <fieldset className="mx-4 my-3 flex flex-wrap gap-x-5">
        <legend className="text-sm font-medium">{t('roles')}</legend>
        {ROLES.map((role) => (
          <Checkbox
            key={role}
            label={roleName(role)}
            checked={roles.includes(role)}
            onChange={(isOn) => setRoles(ROLES.filter((one) => (one === role ? isOn : roles.includes(one))))}
          />
        ))}
      </fieldset>
    </SettingsForm>
  )
}

function ProtectionsSection({ initial }: { initial: Answer<'GET /api/protections'> }) {
  const t = useTranslations('rights.list')
  const locale = useLocale()
  const format = useFormatter()
  const schoolNames = useSchoolNames()
  const { data, isError } = useQuery({
    ...apiQuery('GET /api/protections'),
    refetchOnWindowFocus: true,
    initialData: initial,
  })
  const joinNames = (users: ProtectionEntry['people']) => format.list(users.map(({ name }) => name || t('former')))
  return (
    <TitledSection id="protections" title={t('title')} hint={t('lead')}>
      {isError && <OutdatedBanner />}
      {data.protections.length === 0 && (
        <p className="text-sm text-mute">
          {t('none')}. {t('noneHint')}
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {data.protections.map(({ id, since, by: startedBy, people, shown: details, leads, schools }) => (
          <li key={id} className="card px-4 py-3.5">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
              <div className="min-w-0">
                <h3 className="flex items-center gap-2 font-semibold">
                  <ShieldCheck className="size-4 shrink-0 text-accent" />
                  <span>{leads === null ? t('unknown') : t('leads', { count: leads })}</span>
                  {leads !== null &&
                    schools.length > 0 &&
                    t('at', { schools: format.list(schools.map(schoolNames.nameById)) })}
                </h3>
                <p className="tabular text-sm text-mute">
                  {t('since', { when: formatFullTime(Date.parse(since), locale) })}
                  {startedBy !== null && <> · {t('by', { name: joinNames([startedBy]) })}</>}
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                {details?.contactId && (
                  <DeskLink href={`/contacts/${details.contactId}`} className={buttonClass({ size: 'sm' })}>
                    {t('show')}
                  </DeskLink>
                )}
                <NamedUsersButton text={t('change')} id={id} people={people.map((user) => user.id)} />
                {/* It can be lifted here too, because a person without leads has no contact page. */}
                {details !== null && <LiftProtectionButton id={id} />}
              </div>
            </div>
            <p className="mt-1.5 text-sm wrap-anywhere">
              {t('people')}: <span className="font-medium">{joinNames(people)}</span>
            </p>
            <p className="mt-1.5 text-sm wrap-anywhere text-mute">
              {details === null ? t('hidden') : t('reason', { reason: details.reason })}
            </p>
          </li>
        ))}
      </ul>
    </TitledSection>
  )
}
