'use client'

import { useQuery } from '@tanstack/react-query'
import { Pencil, UserPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { SettingsForm, useSaveForm } from '@/components/app/save-form'
import { useSchoolNames } from '@/components/app/schools'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useTextSearch } from '@/components/ui/choice-list'
import { Checkbox } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { OutdatedBanner } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { usersQuery } from '@/lib/api/queries'
import type { SignInRules } from '@/lib/contract/account'
import type { Answer } from '@/lib/contract/endpoints'
import { ROLES } from '@/lib/contract/limits'
import type { User } from '@/lib/contract/user'
import { AdminPage } from './admin-page'
import { ListSearch } from './list-search'
import { ProtectionsSection } from './protections-section'
import { UserDialog } from './user-dialog'

const MAX_NAMED_SCHOOLS = 2

type UsersScreenProps = {
  users: User[]
  rules: SignInRules
  protections: Answer<'GET /api/protections'>
  canMail: boolean
}

export function UsersScreen({ users, rules, protections, canMail }: UsersScreenProps) {
  const t = useTranslations('adminUsers')
  const tRole = useTranslations('common.role')
  const me = useCurrentUser()
  const { nameById } = useSchoolNames()
  const { data, isError } = useQuery({ ...usersQuery, initialData: { users } })
  const { text, setText, matches } = useTextSearch(data.users, ({ name, email }) => `${name} ${email}`)
  // Without a user the dialog adds one.
  const [dialog, setDialog] = useState<{ userId: string | null } | null>(null)
  return (
    <AdminPage
      title={t('title')}
      intro={t('intro')}
      action={<Button icon={UserPlus} text={t('add')} variant="primary" onClick={() => setDialog({ userId: null })} />}
    >
      {isError && <OutdatedBanner />}
      <ListSearch label={t('search')} text={text} onType={setText} result={t('count', { count: matches.length })} />
      {matches.length > 0 && (
        <ul className="card overflow-hidden">
          {matches.map(({ id, name, email, role, schools, disabled, pending, breakGlass }) => {
            const areSchoolsNamed = schools !== 'all' && schools.length > 0 && schools.length <= MAX_NAMED_SCHOOLS
            const schoolsText = schools === 'all' ? t('schools.all') : t('schools.count', { count: schools.length })
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
                <p className="col-start-2 text-sm desk:col-start-auto">{tRole(role)}</p>
                <p className="col-start-2 min-w-0 truncate text-sm text-mute desk:col-start-auto">
                  {areSchoolsNamed ? schools.map(nameById).join(', ') : schoolsText}
                </p>
                <p className="col-start-2 desk:col-start-auto">
                  {disabled && <Badge tone="danger">{t('state.disabled')}</Badge>}
                  {!disabled && pending && <Badge tone="warn">{t('state.pending')}</Badge>}
                  {!disabled && !pending && (
                    <Badge tone="outline">{t(breakGlass ? 'state.breakGlass' : 'state.active')}</Badge>
                  )}
                </p>
                <span className="col-start-3 row-start-1 desk:col-start-auto desk:row-start-auto">
                  <IconButton icon={Pencil} label={t('edit', { name })} onClick={() => setDialog({ userId: id })} />
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <SignInRulesForm initialRules={rules} />
      <ProtectionsSection initialProtections={protections} />
      {dialog !== null && (
        <UserDialog
          user={data.users.find(({ id }) => id === dialog.userId) ?? null}
          canMail={canMail}
          onClose={() => setDialog(null)}
        />
      )}
    </AdminPage>
  )
}

function SignInRulesForm({ initialRules }: { initialRules: SignInRules }) {
  const t = useTranslations('adminUsers.rules')
  const tRole = useTranslations('common.role')
  const [roles, setRoles] = useState(initialRules.secondFactorFor)
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
            label={tRole(role)}
            checked={roles.includes(role)}
            onChange={(isChecked) =>
              setRoles(ROLES.filter((other) => (other === role ? isChecked : roles.includes(other))))
            }
          />
        ))}
      </fieldset>
    </SettingsForm>
  )
}
