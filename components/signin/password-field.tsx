import { Eye, EyeOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { Field, Input, type TextField } from '@/components/ui/field'
import { ApiError, hasStatus } from '@/lib/api/send'

export function PasswordField({ label, hint, error, ...input }: ComponentProps<typeof TextField>) {
  const t = useTranslations('common')
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <div className="relative">
          <Input {...attributes} {...input} required type={isShown ? 'text' : 'password'} className="pr-11" />
          <button
            type="button"
            aria-label={t(isShown ? 'hidePassword' : 'showPassword')}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-faint hover:text-ink touch:w-11"
          >
            {isShown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
          </button>
        </div>
      )}
    </Field>
  )
}

/** Why a password or a code was not taken. */
export function refusalOf(error: Error): 'wrong' | 'tooMany' | 'failed' {
  if (hasStatus(error, 429)) return 'tooMany'
  return error instanceof ApiError && error.reason === 'wrong' ? 'wrong' : 'failed'
}
