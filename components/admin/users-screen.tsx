'use client'

import { useQuery } from '@tanstack/react-query'
import { Pencil, Search, ShieldCheck, UserPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { DeskLink } from '@/components/desk/navigate'
import { SettingsForm, useSaveForm } from '@/components/desk/save'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { useTextSearch } from '@/components/ui/choice-list'
import { Checkbox, Input } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Loading } from '@/components/ui/load-failure'
import { OutdatedBanner } from '@/components/ui/notice'
import { PageHeader, TitledSection } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import { usersQuery } from '@/lib/api/queries'
import type { SignInRules } from '@/lib/contract/account'
import type { User } from '@/lib/contract/user'
import { useScopeText } from './school-field'
import { ROLES } from './user-change'
import { UserDialog } from './user-dialog'

export function UsersScreen({ initial, canMail }: { initial: User[]; canMail: boolean }) {
  const t = useTranslations('adminUsers')
  const { data, isError } = useQuery({ ...usersQuery, initialData: { users: initial } })
  const { text, setText, shown } = useTextSearch(data.users, ({ name, email }) => `${name} ${email}`)
  const [edited, setEdited] = useState<User | 'new' | null>(null)
  const actions = (
    <span className="flex flex-wrap gap-2 not-desk:[&_svg]:hidden">
      <DeskLink href="/admin/protections" className={buttonClass()}>
        <ShieldCheck className="size-4" />
        {t('protections')}
      </DeskLink>
      <Button icon={UserPlus} text={t('add')} variant="primary" onClick={() => setEdited('new')} />
    </span>
  )
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={actions} />
      {isError && <OutdatedBanner />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="relative w-full max-w-80 text-faint">
          <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
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
      {edited !== null && (
        <UserDialog user={edited === 'new' ? null : edited} canMail={canMail} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}

function UserRow({ user, onEdit }: { user: User; onEdit: () => void }) {
  const t = useTranslations('adminUsers')
  const roleName = useTranslations('common.role')
  const me = useCurrentUser()
  const { name, email, role, disabled, pending, breakGlass } = user
  const scopeText = useScopeText()
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
      <p className="col-start-2 min-w-0 truncate text-sm text-mute desk:col-start-auto">{scopeText(user.schools)}</p>
      <p className="col-start-2 desk:col-start-auto">
        {disabled && <Badge tone="danger">{t('state.disabled')}</Badge>}
        {!disabled && pending && <Badge tone="warn">{t('state.pending')}</Badge>}
        {!disabled && !pending && <Badge tone="outline">{t(breakGlass ? 'state.breakGlass' : 'state.active')}</Badge>}
      </p>
      <span className="col-start-3 row-start-1 desk:col-start-auto desk:row-start-auto">
        <IconButton icon={Pencil} label={t('edit', { name })} onClick={onEdit} />
      </span>
    </li>
  )
}

/** The choice lies over the saved rule, so that a refetch changes nothing that is being edited. */
function SignInRulesCard() {
  const t = useTranslations('adminUsers.rules')
  const roleName = useTranslations('common.role')
  const found = useQuery(apiQuery('GET /api/sign-in-rules'))
  const [chosen, setChosen] = useState<SignInRules['secondFactorFor'] | null>(null)
  const secondFactorFor = chosen ?? found.data?.secondFactorFor ?? []
  const saving = useSaveForm({
    values: { secondFactorFor },
    send: (body) => api('PUT /api/sign-in-rules', { body }),
    done: t('saved'),
    refresh: 'GET /api/sign-in-rules',
  })
  if (found.data === undefined)
    return (
      <TitledSection id="sign-in-rules" title={t('title')} hint={t('body')} className="max-w-2xl">
        <Loading found={found} className="h-40" />
      </TitledSection>
    )
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('body')}>
      <div className="px-4 py-3">
        <fieldset className="flex flex-wrap gap-x-5">
          <legend className="text-sm font-medium">{t('roles')}</legend>
          {ROLES.map((role) => (
            <Checkbox
              key={role}
              label={roleName(role)}
              checked={secondFactorFor.includes(role)}
              onChange={(isOn) =>
                setChosen(ROLES.filter((each) => (each === role ? isOn : secondFactorFor.includes(each))))
              }
            />
          ))}
        </fieldset>
      </div>
    </SettingsForm>
  )
}
