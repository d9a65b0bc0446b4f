import { useLocale, useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { DialogForm, useSaveForm } from '@/components/app/save-form'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { NewUser, SchoolScope, User, UserChange } from '@/lib/contract/user'
import { AccessFields, type RoleAndSchools } from './access-fields'
import { type Invitation, InvitationDialog } from './invitation-dialog'
import { UserActions } from './user-actions'

/** Adds a user or changes one. A new link is shown instead of the form. */
export function UserDialog({ user, canMail, onClose }: { user: User | null; canMail: boolean; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  if (invitation !== null) return <InvitationDialog invitation={invitation} onClose={onClose} />
  const formProps = { canMail, onInvited: setInvitation, onClose }
  return (
    <Dialog onClose={onClose} title={user === null ? t('addTitle') : t('edit', { name: user.name })}>
      {user === null ? <AddUserForm {...formProps} /> : <EditUserForm user={user} {...formProps} />}
    </Dialog>
  )
}

type EditUserFormProps = ComponentProps<typeof UserActions>

function AddUserForm({ canMail, onInvited, onClose }: Omit<EditUserFormProps, 'user'>) {
  const t = useTranslations('adminUsers')
  const locale = useLocale()
  const [user, setUser] = useState<NewUser>({ name: '', email: '', role: 'staff', schools: [] })
  const updateUser = (part: Partial<NewUser>) => setUser({ ...user, ...part })
  const values = { ...user, name: user.name.trim(), email: user.email.trim() }
  const { getFieldError, ...saving } = useSaveForm({
    values,
    errors: {
      name: values.name === '' ? t('nameMissing') : null,
      email: values.email.includes('@') ? null : t('emailWrong'),
      schools: values.schools.length === 0 ? t('schools.none') : null,
    },
    send: (body) => api('POST /api/users', { query: { mail: canMail ? locale : undefined }, body }),
    failureMessage: (error) => {
      if (hasStatus(error, 409)) return { email: t('emailTaken') }
      // A 400 is about the e-mail, because only the server knows all of its rules.
      return hasStatus(error, 400) ? { email: t('emailWrong') } : undefined
    },
    invalidate: 'GET /api/users',
    onSaved: (answer, { name, email }) => onInvited({ ...answer, name, email, isReset: false }),
  })
  const createFieldProps = (name: 'name' | 'email') => ({
    label: t(`field.${name}`),
    error: getFieldError(name),
    autoComplete: 'off',
    value: user[name],
    onChange: ({ target }: { target: HTMLInputElement }) => updateUser({ [name]: target.value }),
  })
  return (
    <DialogForm saving={saving} saveLabel={t('invite')} onClose={onClose}>
      <TextField {...createFieldProps('name')} maxLength={100} autoFocus />
      <TextField {...createFieldProps('email')} type="email" maxLength={200} />
      <AccessFields access={user} errors={{ schools: getFieldError('schools') }} onChange={updateUser} />
      {canMail && <p className="text-sm text-mute">{t('alsoMailed')}</p>}
    </DialogForm>
  )
}

function EditUserForm(props: EditUserFormProps) {
  const { user, onClose } = props
  const t = useTranslations('adminUsers')
  const isSelf = useCurrentUser()?.id === user.id
  const [chosenAccess, setChosenAccess] = useState<Partial<RoleAndSchools>>({})
  const access = { role: user.role, schools: user.schools, ...chosenAccess }
  const changes = diffAccess(user, access)
  const schoolsError = access.schools.length === 0 && !user.singleSignOn?.schools ? t('schools.none') : undefined
  const { getFieldError, ...saving } = useSaveForm({
    values: changes,
    errors: { schools: schoolsError },
    send: (body: UserChange) => api('PATCH /api/users/[id]', { params: { id: user.id }, body }),
    successMessage: t('saved'),
    failureMessage: (error, { role }) => {
      if (!hasStatus(error, 409)) return undefined
      // In all other conflicts single sign-on has begun to set the role or the schools meanwhile.
      return user.role === 'admin' && role !== undefined ? { role: t('lastAdmin') } : t('signOn.given')
    },
    invalidate: 'GET /api/users',
    onSaved: onClose,
  })
  return (
    <DialogForm saving={saving} disabled={Object.keys(changes).length === 0} onClose={onClose}>
      <p className="text-sm text-mute wrap-anywhere">{user.email}</p>
      <UserActions {...props} />
      <AccessFields
        access={access}
        singleSignOn={user.singleSignOn}
        errors={{ role: changes.role && getFieldError('role'), schools: schoolsError }}
        onChange={(part) => setChosenAccess({ ...chosenAccess, ...part })}
      >
        {changes.role === 'admin' && <Notice role="status">{t('toAdmin')}</Notice>}
        {isSelf && changes.role !== undefined && <p className="text-sm text-danger">{t('ownRole')}</p>}
      </AccessFields>
    </DialogForm>
  )
}

/** Returns only what differs, so that saving does not undo what another administrator has changed meanwhile. */
export function diffAccess(user: User, { role, schools }: RoleAndSchools): UserChange {
  const toComparable = (scope: SchoolScope) => JSON.stringify(scope === 'all' ? scope : scope.toSorted())
  const change: UserChange = {}
  if (role !== user.role) change.role = role
  if (toComparable(schools) !== toComparable(user.schools)) change.schools = schools
  return change
}
