import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { hasStatus, useSaveForm } from '@/components/desk/save'
import { DialogForm } from '@/components/desk/save-form'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { Confirm, Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { api } from '@/lib/api/call'
import { highSchools } from '@/lib/api/queries'
import type { NewUser, Role, SchoolScope, User, UserChange } from '@/lib/contract/user'
import { GivenAccess, type Invitation, InvitationLink, UserAccess } from './user-access'
import { changesOf, errorKeysOf, refusalOf, ROLES } from './user-change'

type Step = 'disable' | 'toAdmin' | null

/** Unsaved input is kept until it is discarded on purpose. */
export function UserDialog({ user, onClose }: { user: User | null; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [step, setStep] = useState<Step>(null)
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
    <Dialog onClose={onClose} title={t(`${step ?? 'edit'}Title`, { name: user.name })}>
      <EditUserForm user={user} step={step} onStep={setStep} onInvited={setInvitation} onClose={onClose} />
    </Dialog>
  )
}

type FormProps = { onInvited: (invitation: Invitation) => void; onClose: () => void }

function AddUserForm({ onInvited, onClose }: FormProps) {
  const t = useTranslations('adminUsers')
  const [user, setUser] = useState<NewUser>({ name: '', email: '', role: 'staff', schools: [] })
  const set = (part: Partial<NewUser>) => setUser({ ...user, ...part })
  const values = { ...user, name: user.name.trim(), email: user.email.trim() }
  const translate = (keys: ReturnType<typeof errorKeysOf>) =>
    Object.fromEntries(Object.entries(keys).map(([field, word]) => [field, t(word)]))
  const { errorOf, ...saving } = useSaveForm({
    values,
    errors: translate(errorKeysOf(values)),
    send: (body) => api('POST /api/users', { body }),
    failed: (error) => {
      const refusal = refusalOf(error)
      return typeof refusal === 'string' ? t(refusal) : translate(refusal)
    },
    refresh: 'GET /api/users',
    onSaved: ({ inviteUrl }, { name }) => onInvited({ name, url: inviteUrl, isReset: false }),
  })
  const text = (name: 'name' | 'email') => ({
    label: t(`field.${name}`),
    error: errorOf(name),
    autoComplete: 'off',
    value: user[name],
    onChange: ({ target }: { target: HTMLInputElement }) => set({ [name]: target.value }),
  })
  return (
    <DialogForm saving={saving} save={t('invite')} onClose={onClose}>
      <TextField {...text('name')} maxLength={100} autoFocus />
      <TextField {...text('email')} type="email" maxLength={200} />
      <RoleField role={user.role} onRole={(role) => set({ role })} />
      <SchoolField schools={user.schools} error={errorOf('schools')} onSchools={(schools) => set({ schools })} />
    </DialogForm>
  )
}

type EditUserFormProps = FormProps & { user: User; step: Step; onStep: (step: Step) => void }

function EditUserForm({ user, step, onStep, onInvited, onClose }: EditUserFormProps) {
  const t = useTranslations('adminUsers')
  const back = useTranslations('common')('back')
  const [access, setAccess] = useState<Pick<User, 'role' | 'schools'>>(user)
  const change = changesOf(user, access)
  const noSchools = access.schools.length === 0 && !user.singleSignOn?.schools ? t('schools.none') : undefined
  const options = { ...useChange(user, onClose), values: change, errors: { noSchools } }
  const { errorOf, save, ...saving } = useSaveForm(options)
  if (step !== null) {
    const sent = step === 'disable' ? { disabled: true } : change
    const { busy, problem } = saving
    const texts = { text: t(`${step}Body`), yes: t(step), no: back }
    return <Confirm {...texts} problem={problem} busy={busy} onYes={() => save(sent)} onNo={() => onStep(null)} />
  }
  const askFirst = (event: FormEvent) => {
    event.preventDefault()
    onStep('toAdmin')
  }
  const isAsking = change.role === 'admin' && !noSchools
  const wrong = { role: change.role && errorOf('role'), schools: noSchools }
  return (
    <DialogForm
      saving={isAsking ? { ...saving, form: { onSubmit: askFirst } } : saving}
      save={t('save')}
      disabled={Object.keys(change).length === 0}
      other={
        <>
          {user.disabled ? (
            <Button busy={saving.busy} onClick={() => save({ disabled: false })}>
              {t('enable')}
            </Button>
          ) : (
            <Button variant="danger" onClick={() => onStep('disable')}>
              {t('disable')}
            </Button>
          )}
          <span className="flex-1" />
        </>
      }
    >
      <p className="text-sm text-mute wrap-anywhere">{user.email}</p>
      <UserAccess user={user} onInvited={onInvited} />
      <GivenAccess user={user} />
      <AccessFields user={user} access={access} onAccess={setAccess} wrong={wrong} />
    </DialogForm>
  )
}

type AccessFieldsProps = {
  user: User
  access: Pick<User, 'role' | 'schools'>
  onAccess: (access: Pick<User, 'role' | 'schools'>) => void
  wrong: { role: string | undefined; schools: string | undefined }
}

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

type RoleFieldProps = { role: Role; error?: string | undefined; onRole: (role: Role) => void }

function RoleField({ role, error, onRole }: RoleFieldProps) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common.role')
  return (
    <FieldGroup legend={t('field.role')} error={error}>
      {ROLES.map((choice) => (
        <Choice
          key={choice}
          group="role"
          label={common(choice)}
          hint={t(`roleHint.${choice}`)}
          isChosen={role === choice}
          onChoose={() => onRole(choice)}
        />
      ))}
    </FieldGroup>
  )
}

/** The fault is above them, because what is below may be long. */
function FieldGroup({ legend, error, children }: { legend: string; error: string | undefined; children: ReactNode }) {
  const id = useId()
  return (
    <fieldset data-invalid={error && ''} aria-describedby={error && id}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {error && (
        <p id={id} role="alert" className="mb-1.5 text-xs text-danger">
          {error}
        </p>
      )}
      <div className={`overflow-hidden rounded-md border ${error ? 'border-danger' : 'border-line'}`}>{children}</div>
    </fieldset>
  )
}

type ChoiceProps = { group: string; label: string; hint?: string; isChosen: boolean; onChoose: () => void }

function Choice({ group, label, hint, isChosen, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <label className="flex min-h-9 items-center gap-3 border-b border-line-soft px-3 py-1.5 last:border-b-0 hover:bg-hover has-checked:bg-fill has-focus-visible:bg-hover touch:min-h-11">
      <input
        type="radio"
        name={group}
        aria-label={label}
        aria-describedby={hint && id}
        checked={isChosen}
        onChange={onChoose}
        className="size-4 shrink-0"
      />
      <span className="min-w-0">
        <span className="block text-sm font-medium">{label}</span>
        {hint && (
          <span id={id} className="block text-xs text-mute">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

type SchoolFieldProps = {
  schools: SchoolScope
  error: string | undefined
  onSchools: (schools: SchoolScope) => void
}

function SchoolField({ schools, error, onSchools }: SchoolFieldProps) {
  const t = useTranslations('adminUsers.schools')
  const isAll = schools === 'all'
  return (
    <FieldGroup legend={t('legend')} error={error}>
      <Choice group="scope" label={t('all')} hint={t('allHint')} isChosen={isAll} onChoose={() => onSchools('all')} />
      <Choice group="scope" label={t('some')} isChosen={!isAll} onChoose={() => isAll && onSchools([])} />
      {!isAll && <SchoolList chosen={schools} onChosen={onSchools} />}
    </FieldGroup>
  )
}

function SchoolList({ chosen, onChosen }: { chosen: readonly string[]; onChosen: (chosen: string[]) => void }) {
  const t = useTranslations('adminUsers.schools')
  const { data, isError, refetch } = useQuery(highSchools)
  if (data === undefined) {
    if (!isError) return <Skeleton className="m-3 h-5 w-40" />
    return (
      <LoadFailure className="p-3" onRetry={() => void refetch()}>
        {t('failed')}
      </LoadFailure>
    )
  }
  const choices = data.highSchools.map(({ id, name }) => ({ value: id, label: name }))
  const removed = chosen.filter((id) => !choices.some(({ value }) => value === id))
  return (
    <ChoiceList
      look="form"
      choices={[...removed.map((id) => ({ value: id, label: t('unknown', { id }) })), ...choices]}
      chosen={chosen}
      words={{ find: t('search'), none: t('noMatch') }}
      onChange={onChosen}
      foot={(shown) => (
        <div className="flex items-center gap-1 border-t border-line-soft py-1 pr-1 pl-3 text-xs text-mute">
          <span role="status" className="flex-1">
            {t('chosen', { count: chosen.length })}
          </span>
          <Button
            variant="ghost"
            size="sm"
            onClick={() => onChosen([...new Set([...chosen, ...shown.map(({ value }) => value)])])}
          >
            {t('chooseShown')}
          </Button>
          <Button variant="ghost" size="sm" disabled={chosen.length === 0} onClick={() => onChosen([])}>
            {t('clear')}
          </Button>
        </div>
      )}
    />
  )
}
