import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { hasStatus, useSaveForm } from '@/components/desk/save'
import { DialogForm } from '@/components/desk/save-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirm } from '@/components/ui/dialog-frame'
import { TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { NewUser, User, UserChange } from '@/lib/contract/user'
import { GivenAccess, type Invitation, InvitationLink, UserAccess } from './user-access'
import { changesOf, faultsOf, refusalOf } from './user-change'
import { RoleField, SchoolField } from './user-fields'

type Asked = 'disable' | 'toAdmin' | null

/** Adds a person, or changes one. What was written is kept until it is saved or put aside on purpose. */
export function UserDialog({ user, onClose }: { user: User | null; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [asked, ask] = useState<Asked>(null)
  if (invitation !== null) {
    const { name, isReset } = invitation
    return (
      <Dialog onClose={onClose} title={t(isReset ? 'resetTitle' : 'invited', { name })}>
        <InvitationLink invitation={invitation} onDone={onClose} />
      </Dialog>
    )
  }
  if (user === null) {
    return (
      <Dialog onClose={onClose} title={t('addTitle')}>
        <AddUserForm onInvited={setInvitation} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog onClose={onClose} title={t(`${asked ?? 'edit'}Title`, { name: user.name })}>
      <EditUserForm user={user} asked={asked} ask={ask} onInvited={setInvitation} onClose={onClose} />
    </Dialog>
  )
}

type FormProps = { onInvited: (invitation: Invitation) => void; onClose: () => void }

/** A new person gets a link to set a password with. */
function AddUserForm({ onInvited, onClose }: FormProps) {
  const t = useTranslations('adminUsers')
  const [person, setPerson] = useState<NewUser>({ name: '', email: '', role: 'staff', schools: [] })
  const set = (part: Partial<NewUser>) => setPerson({ ...person, ...part })
  const given = { ...person, name: person.name.trim(), email: person.email.trim() }
  const worded = (faults: ReturnType<typeof faultsOf>) =>
    Object.fromEntries(Object.entries(faults).map(([field, word]) => [field, t(word)]))
  const { at, ...saving } = useSaveForm({
    given,
    faults: worded(faultsOf(given)),
    send: (body) => api('POST /api/users', { body }),
    failed: (error) => {
      const refusal = refusalOf(error)
      return typeof refusal === 'string' ? t(refusal) : worded(refusal)
    },
    refresh: 'GET /api/users',
    onSaved: ({ inviteUrl }, { name }) => onInvited({ name, url: inviteUrl, isReset: false }),
  })
  const text = (name: 'name' | 'email') => ({
    label: t(`field.${name}`),
    error: at(name),
    autoComplete: 'off',
    value: person[name],
    onChange: ({ target }: { target: HTMLInputElement }) => set({ [name]: target.value }),
  })
  return (
    <DialogForm saving={saving} save={t('invite')} onClose={onClose}>
      <TextField {...text('name')} maxLength={100} autoFocus />
      <TextField {...text('email')} type="email" maxLength={200} />
      <RoleField role={person.role} onRole={(role) => set({ role })} />
      <SchoolField schools={person.schools} error={at('schools')} onSchools={(schools) => set({ schools })} />
    </DialogForm>
  )
}

type EditUserFormProps = FormProps & { user: User; asked: Asked; ask: (asked: Asked) => void }

/** Role and schools of a person. Disabling a person, or making one an administrator, asks first. */
function EditUserForm({ user, asked, ask, onInvited, onClose }: EditUserFormProps) {
  const t = useTranslations('adminUsers')
  const back = useTranslations('common')('back')
  const [access, setAccess] = useState<Pick<User, 'role' | 'schools'>>(user)
  const change = changesOf(user, access)
  const noSchools = access.schools.length === 0 && !user.singleSignOn?.schools ? t('schools.none') : undefined
  const { at, save, ...saving } = useSaveForm({ ...useChange(user, onClose), given: change, faults: { noSchools } })
  if (asked !== null) {
    const sent = asked === 'disable' ? { disabled: true } : change
    const { busy, problem } = saving
    const words = { text: t(`${asked}Body`), yes: t(asked), no: back }
    return <Confirm {...words} problem={problem} busy={busy} onYes={() => save(sent)} onNo={() => ask(null)} />
  }
  const askFirst = (event: FormEvent) => {
    event.preventDefault()
    ask('toAdmin')
  }
  const isAsking = change.role === 'admin' && !noSchools
  return (
    <DialogForm
      saving={isAsking ? { ...saving, form: { onSubmit: askFirst } } : saving}
      save={t('save')}
      disabled={Object.keys(change).length === 0}
      other={
        <Able
          user={user}
          busy={saving.busy}
          onEnable={() => save({ disabled: false })}
          onDisable={() => ask('disable')}
        />
      }
    >
      <p className="text-sm text-mute wrap-anywhere">{user.email}</p>
      <UserAccess user={user} onInvited={onInvited} />
      <GivenAccess user={user} />
      <AccessFields
        user={user}
        access={access}
        onAccess={setAccess}
        wrong={{ role: change.role && at('role'), schools: noSchools }}
      />
    </DialogForm>
  )
}

type AccessFieldsProps = {
  user: User
  access: Pick<User, 'role' | 'schools'>
  onAccess: (access: Pick<User, 'role' | 'schools'>) => void
  wrong: { role: string | undefined; schools: string | undefined }
}

/** What single sign-on does not give. */
function AccessFields({ user, access, onAccess, wrong }: AccessFieldsProps) {
  const t = useTranslations('adminUsers')
  const isOwn = useCurrentUser()?.id === user.id
  const provided = user.singleSignOn
  return (
    <>
      {!provided?.role && (
        <RoleField role={access.role} error={wrong.role} onRole={(role) => onAccess({ ...access, role })} />
      )}
      {isOwn && access.role !== user.role && <p className="text-sm text-danger">{t('ownRole')}</p>}
      {!provided?.schools && (
        <SchoolField
          schools={access.schools}
          error={wrong.schools}
          onSchools={(schools) => onAccess({ ...access, schools })}
        />
      )}
    </>
  )
}

function useChange({ id, name, role }: User, onSaved: () => void) {
  const t = useTranslations('adminUsers')
  return {
    send: (body: UserChange) => api('PATCH /api/users/[id]', { params: { id }, body }),
    done: (_: unknown, { disabled }: UserChange) =>
      disabled === undefined ? t('saved') : t(disabled ? 'disabledToast' : 'enabledToast', { name }),
    failed: (error: Error, sent: UserChange) => {
      if (hasStatus(error, 403)) return t('notAllowed')
      if (!hasStatus(error, 409)) return t('saveFailed')
      if (role === 'admin' && sent.role !== undefined) return { role: t('lastAdmin') }
      // Otherwise single sign-on gives them meanwhile what was to be changed.
      return t(role === 'admin' && sent.disabled !== undefined ? 'lastAdmin' : 'signOn.given')
    },
    refresh: 'GET /api/users' as const,
    onSaved,
  }
}

type AbleProps = { user: User; busy: boolean; onEnable: () => void; onDisable: () => void }

function Able({ user, busy, onEnable, onDisable }: AbleProps) {
  const t = useTranslations('adminUsers')
  return (
    <>
      {user.disabled ? (
        <Button busy={busy} onClick={onEnable}>
          {t('enable')}
        </Button>
      ) : (
        <Button variant="danger" onClick={onDisable}>
          {t('disable')}
        </Button>
      )}
      <span className="flex-1" />
    </>
  )
}
