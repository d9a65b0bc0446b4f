'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useMe } from '@/components/shell/me'
import { Button } from '@/components/ui/button'
import type { Role, SchoolScope, User } from '@/lib/contract/user'
import { changesOf } from './users-changes'
import { UsersConfirm } from './users-confirm'
import { UsersFormFrame } from './users-form-frame'
import type { Invitation } from './users-invitation'
import { UsersInviteAgain } from './users-invite-again'
import { UsersRoleField } from './users-role-field'
import { UsersSchoolField } from './users-school-field'
import { useChangeUser } from './use-change-user'

type UsersEditFormProps = {
  user: User
  onTitle: (title: string | null) => void
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}
type Step = 'form' | 'disable' | 'toAdmin'

/** Role and schools; what weighs most is asked about once more. */
export function UsersEditForm({ user, onTitle, onInvited, onClose }: UsersEditFormProps) {
  const [role, setRole] = useState<Role>(user.role)
  const [schools, setSchools] = useState<SchoolScope>(user.schools)
  const { save, isPending, failure } = useChangeUser(user, onClose)
  const isOwn = useMe()?.id === user.id && role !== user.role
  const change = changesOf(user, { role, schools })
  const [step, go] = useStep(user, onTitle)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (schools.length === 0) return
    if (change.role === 'admin') go('toAdmin')
    else save(change)
  }
  if (step !== 'form') {
    return (
      <UsersConfirm
        step={step}
        isBusy={isPending}
        failure={failure}
        onBack={() => go('form')}
        onYes={() => save(step === 'disable' ? { disabled: true } : change)}
      />
    )
  }
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
      <UsersFormFrame
        failure={failure}
        actions={
          <Actions
            user={user}
            isBusy={isPending}
            isUnchanged={Object.keys(change).length === 0}
            onEnable={() => save({ disabled: false })}
            onDisable={() => go('disable')}
          />
        }
      >
        <p className="text-sm text-mute wrap-anywhere">{user.email}</p>
        <UsersInviteAgain user={user} onInvited={onInvited} />
        <Fields role={role} schools={schools} isOwn={isOwn} onRole={setRole} onSchools={setSchools} />
      </UsersFormFrame>
    </form>
  )
}

/** Where one is, with the title that says so. */
function useStep({ name }: User, onTitle: (title: string | null) => void): [Step, (next: Step) => void] {
  const t = useTranslations('adminUsers')
  const [step, setStep] = useState<Step>('form')
  const go = (next: Step) => {
    setStep(next)
    onTitle(next === 'form' ? null : t(`${next}Title`, { name }))
  }
  return [step, go]
}

type FieldsProps = {
  /** One's own role is about to go. */
  isOwn: boolean
  role: Role
  schools: SchoolScope
  onRole: (role: Role) => void
  onSchools: (schools: SchoolScope) => void
}

function Fields({ isOwn, role, schools, onRole, onSchools }: FieldsProps) {
  const t = useTranslations('adminUsers')
  const error = schools.length === 0 ? t('schools.none') : undefined
  return (
    <>
      <UsersRoleField role={role} onRole={onRole} />
      {isOwn && <p className="text-sm text-danger">{t('ownRole')}</p>}
      <UsersSchoolField schools={schools} error={error} onSchools={onSchools} />
    </>
  )
}

type ActionsProps = {
  user: User
  isBusy: boolean
  isUnchanged: boolean
  onEnable: () => void
  onDisable: () => void
}

function Actions({ user, isBusy, isUnchanged, onEnable, onDisable }: ActionsProps) {
  const t = useTranslations('adminUsers')
  return (
    <>
      {user.disabled ? (
        <Button busy={isBusy} onClick={onEnable}>
          {t('enable')}
        </Button>
      ) : (
        <Button variant="danger" onClick={onDisable}>
          {t('disable')}
        </Button>
      )}
      <span className="flex-1" />
      <Button type="submit" variant="primary" busy={isBusy} disabled={isUnchanged}>
        {t('save')}
      </Button>
    </>
  )
}
