import { Eye, EyeOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { Field, Input, type TextField } from '@/components/ui/field'
import { ApiError } from '@/lib/api/send'
import { findLengthFault, normalizePassword, PASSWORD_FAULTS, type PasswordFault } from '@/lib/contract/limits'

export function PasswordField({ label, hint, error, ...input }: ComponentProps<typeof TextField>) {
  const t = useTranslations('common')
  const [isVisible, setVisible] = useState(false)
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <div className="relative">
          <Input {...attributes} {...input} required type={isVisible ? 'text' : 'password'} className="pr-11" />
          <button
            type="button"
            aria-label={t(isVisible ? 'hidePassword' : 'showPassword')}
            onClick={() => setVisible(!isVisible)}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-faint hover:text-ink touch:w-11"
          >
            {isVisible ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
          </button>
        </div>
      )}
    </Field>
  )
}

type NewPasswordFault = PasswordFault | 'different'

export function NewPasswordFields({ fault }: { fault: NewPasswordFault | null }) {
  const t = useTranslations('signin.newPassword')
  return (
    <>
      <PasswordField
        label={t('label')}
        hint={t('hint')}
        error={fault === null || fault === 'different' ? undefined : t(fault)}
        name="password"
        autoComplete="new-password"
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

/** Holds the fault of a new password. `showRefusal` shows a fault that the server found, and returns whether it did. */
export function useNewPassword() {
  const [fault, setFault] = useState<NewPasswordFault | null>(null)
  return {
    fault,
    readPassword: (form: FormData): string | null => {
      const password = String(form.get('password'))
      const newFault = findNewPasswordFault(password, String(form.get('repeated')))
      setFault(newFault)
      return newFault === null ? password : null
    },
    showRefusal: (error: unknown): boolean => {
      const serverFault = PASSWORD_FAULTS.find((reason) => error instanceof ApiError && error.reason === reason)
      if (serverFault !== undefined) setFault(serverFault)
      return serverFault !== undefined
    },
  }
}

export function findNewPasswordFault(password: string, repeated: string): NewPasswordFault | null {
  const isSame = normalizePassword(password) === normalizePassword(repeated)
  return findLengthFault(password) ?? (isSame ? null : 'different')
}
