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
      const found = refusedAs(error)
      if (found !== null) setFault(found)
      return found !== null
    },
  }
}

/** The rules that can be checked before anything is sent; the server knows the common passwords. */
export function faultOf(password: string, repeated: string): NewPasswordFault | null {
  const length = lengthFault(password)
  if (length !== null) return length
  return normalPassword(password) === normalPassword(repeated) ? null : 'different'
}

function refusedAs(error: unknown): PasswordFault | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null
  return PASSWORD_FAULTS.find((fault) => fault === error.reason) ?? null
}
