import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { ApiError } from '@/lib/api/send'
import { lengthFault, normalPassword, PASSWORD_FAULTS, type PasswordFault } from '@/lib/contract/limits'
import { PasswordField } from './password-field'

type NewPasswordFault = PasswordFault | 'different'

export function NewPasswordFields({ fault, onFault }: ReturnType<typeof useNewPassword>['fields']) {
  const t = useTranslations('signin.newPassword')
  const look = ({ currentTarget: { value } }: FormEvent<HTMLInputElement>) => {
    if (fault !== null && fault !== 'different') onFault(lengthFault(value))
  }
  return (
    <>
      <PasswordField
        label={t('label')}
        hint={t('hint')}
        error={fault && fault !== 'different' ? t(fault) : undefined}
        name="password"
        autoComplete="new-password"
        onInput={look}
        onBlur={({ target: { value } }) => value !== '' && onFault(lengthFault(value))}
      />
      <PasswordField
        label={t('repeat')}
        error={fault === 'different' ? t(fault) : undefined}
        name="repeated"
        autoComplete="new-password"
      />
    </>
  )
}

export function useNewPassword() {
  const [fault, setFault] = useState<NewPasswordFault | null>(null)
  return {
    fields: { fault, onFault: setFault },
    read: (form: FormData): string | null => {
      const password = String(form.get('password'))
      const found = faultOf(password, String(form.get('repeated')))
      setFault(found)
      return found === null ? password : null
    },
    refused: (error: unknown): boolean => {
      const reason = error instanceof ApiError && error.status === 400 ? error.reason : null
      const found = PASSWORD_FAULTS.find((each) => each === reason)
      if (found !== undefined) setFault(found)
      return found !== undefined
    },
  }
}

/** The rules that can be checked before anything is sent; the server knows the common passwords. */
export function faultOf(password: string, repeated: string): NewPasswordFault | null {
  return lengthFault(password) ?? (normalPassword(password) === normalPassword(repeated) ? null : 'different')
}
