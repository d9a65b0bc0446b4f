'use client'

import { useQuery } from '@tanstack/react-query'
import { Pencil, Search, ShieldCheck, UserPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { DeskLink } from '@/components/desk/navigate'
import { useSaveForm } from '@/components/desk/save'
import { SettingsForm } from '@/components/desk/save-form'
import { useSchoolNames } from '@/components/desk/schools'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button, buttonClass } from '@/components/ui/button'
import { useTextSearch } from '@/components/ui/choice-list'
import { Input, TextField } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { Banner } from '@/components/ui/notice'
import { PageHeader, TitledSection } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import { usersQuery } from '@/lib/api/queries'
import type { SignInRules } from '@/lib/contract/account'
import type { User } from '@/lib/contract/user'
import { ROLES } from './user-change'
import { UserDialog } from './user-dialog'

export function UsersScreen({ first }: { first: User[] }) {
  const t = useTranslations('adminUsers')
  const { data, isError } = useQuery({ ...usersQuery, initialData: { users: first } })
  const { text, setText, shown } = useTextSearch(data.users, ({ name, email }) => `${name} ${email}`)
  const [edited, setEdited] = useState<User | 'new' | null>(null)
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={<Actions onAdd={() => setEdited('new')} />} />
      {isError && <Banner>{t('stale')}</Banner>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="relative w-full max-w-80 text-faint">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
          <Input
            type="search"
            value={text}
            aria-label={t('search')}
            placeholder={t('search')}
            onChange={({ target }) => setText(target.value)}
            className="pl-9"
          />
        </span>
        <p role="status" className="tabular text-sm text-mute">
          {shown.length === 0 ? t('noMatch') : t('count', { count: shown.length })}
        </p>
      </div>
      {shown.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          {shown.map((user) => (
            <UserRow key={user.id} user={user} onEdit={() => setEdited(user)} />
          ))}
        </ul>
      )}
      <SignInRulesCard />
      {edited !== null && <UserDialog user={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </div>
  )
}

function Actions({ onAdd }: { onAdd: () => void }) {
  const t = useTranslations('adminUsers')
  return (
    <span className="flex flex-wrap gap-2">
      <DeskLink href="/admin/protections" className={buttonClass()}>
        <ShieldCheck aria-hidden className="size-4" />
        {t('protections')}
      </DeskLink>
      <Button variant="primary" onClick={onAdd}>
        <UserPlus aria-hidden className="size-4" />
        {t('add')}
      </Button>
    </span>
  )
}

const NAMED_SCHOOLS = 2

function UserRow({ user, onEdit }: { user: User; onEdit: () => void }) {
  const t = useTranslations('adminUsers')
  const roleName = useTranslations('common.role')
  const names = useSchoolNames()
  const me = useCurrentUser()
  const { name, email, role, schools, disabled } = user
  const isNamed = schools.length > 0 && schools.length <= NAMED_SCHOOLS
  const count = schools.length
  const some = schools !== 'all' && isNamed ? schools.map(names.byId).join(', ') : t('schools.count', { count })
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1.5 border-b border-line-soft py-2.5 pr-2 pl-4 last:border-b-0 max-[20rem]:grid-cols-[minmax(0,1fr)_auto] max-[20rem]:*:col-start-1 max-[20rem]:*:first:hidden max-[20rem]:*:last:col-start-2 desk:grid-cols-[auto_minmax(0,1.4fr)_9.5rem_minmax(0,1fr)_5.5rem_auto]">
      <Avatar name={name} size="md" />
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <bdi className={`truncate font-medium ${disabled ? 'text-mute line-through' : ''}`}>{name}</bdi>
          {me?.id === user.id && <Badge>{t('you')}</Badge>}
        </p>
        <p className="truncate text-sm text-mute">{email}</p>
      </div>
      <p className="col-start-2 text-sm desk:col-start-auto">{roleName(role)}</p>
      <p className="col-start-2 min-w-0 truncate text-sm text-mute desk:col-start-auto">
        {schools === 'all' ? t('schools.all') : some}
      </p>
      <p className="col-start-2 desk:col-start-auto">
        <State user={user} />
      </p>
      <span className="col-start-3 row-start-1 desk:col-start-auto desk:row-start-auto">
        <IconButton label={t('edit', { name })} onClick={onEdit}>
          <Pencil aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}

function State({ user: { disabled, pending, breakGlass } }: { user: User }) {
  const t = useTranslations('adminUsers.state')
  if (disabled) return <Badge tone="danger">{t('disabled')}</Badge>
  if (pending) return <Badge tone="warn">{t('pending')}</Badge>
  return <Badge tone="outline">{t(breakGlass ? 'breakGlass' : 'active')}</Badge>
}

function SignInRulesCard() {
  const t = useTranslations('adminUsers.rules')
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/sign-in-rules'))
  if (data) return <RulesForm key={JSON.stringify(data)} rules={data} />
  return (
    <TitledSection id="sign-in-rules" title={t('title')} hint={t('body')} className="max-w-2xl">
      {isError ? (
        <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>
      ) : (
        <Skeleton className="h-72" />
      )}
    </TitledSection>
  )
}

function RulesForm({ rules }: { rules: SignInRules }) {
  const t = useTranslations('adminUsers.rules')
  const users = useTranslations('adminUsers')
  const role = useTranslations('common.role')
  const [chosen, setChosen] = useState<readonly string[]>(rules.secondFactorFor)
  const [above, setAbove] = useState(String(rules.proofAboveLeads))
  const saving = useSaveForm({
    values: { secondFactorFor: ROLES.filter((one) => chosen.includes(one)), proofAboveLeads: Number(above) },
    send: (body) => api('PUT /api/sign-in-rules', { body }),
    done: t('saved'),
    failed: users('saveFailed'),
    refresh: 'GET /api/sign-in-rules',
  })
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('body')} save={t('save')}>
      <div className="flex flex-col gap-4 px-4 py-3">
        <fieldset className="flex flex-wrap gap-x-5">
          <legend className="text-sm font-medium">{t('roles')}</legend>
          {ROLES.map((one) => (
            <label key={one} className="flex min-h-9 items-center gap-2 text-sm touch:min-h-11">
              <input
                type="checkbox"
                checked={chosen.includes(one)}
                onChange={({ target: { checked } }) =>
                  setChosen(checked ? [...chosen, one] : chosen.filter((other) => other !== one))
                }
                className="size-4"
              />
              {role(one)}
            </label>
          ))}
        </fieldset>
        <TextField
          label={t('proofAbove')}
          hint={t('proofHint')}
          type="number"
          required
          min={0}
          max={1_000_000}
          value={above}
          onChange={({ target }) => setAbove(target.value)}
          className="tabular max-w-40"
        />
      </div>
    </SettingsForm>
  )
}
