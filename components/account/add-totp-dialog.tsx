import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { encode } from 'uqr'
import { useCopy } from '@/components/desk/copy'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Dialog } from '@/components/ui/dialog'
import { Field, Input } from '@/components/ui/field'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import type { AddedFactorAnswer, NewTotpAnswer } from '@/lib/contract/second-factor'
import { FactorForm, FactorName } from './factor-form'

type AddTotpDialogProps = { onAdded: (added: AddedFactorAnswer) => void; onClose: () => void }

/** An app that makes one-time codes: what it is called, then the picture it reads and a code that shows that it did. */
export function AddTotpDialog({ onAdded, onClose }: AddTotpDialogProps) {
  const t = useTranslations('account.totp')
  const [begun, setBegun] = useState<NewTotpAnswer | null>(null)
  return (
    <Dialog open onClose={onClose} title={t('title')}>
      {begun === null ? (
        <NameForm onBegun={setBegun} onClose={onClose} />
      ) : (
        <CodeForm begun={begun} onAdded={onAdded} onClose={onClose} />
      )}
    </Dialog>
  )
}

function NameForm({ onBegun, onClose }: { onBegun: (begun: NewTotpAnswer) => void; onClose: () => void }) {
  const t = useTranslations('account.totp')
  const factors = useTranslations('account.factors')
  const { mutate, isPending, isError } = useMutation({
    mutationFn: (name: string) => api('POST /api/account/second-factors/totp', { body: { name } }),
    onSuccess: onBegun,
  })
  return (
    <FactorForm
      field="name"
      onGive={mutate}
      onClose={onClose}
      action={t('next')}
      busy={isPending}
      problem={isError ? factors('saveFailed') : null}
    >
      <FactorName suggested={t('defaultName')} autoFocus />
    </FactorForm>
  )
}

function CodeForm({ begun: { id, secret, uri }, onAdded, onClose }: AddTotpDialogProps & { begun: NewTotpAnswer }) {
  const t = useTranslations('account.totp')
  const factors = useTranslations('account.factors')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (code: string) => api('POST /api/account/second-factors/totp/confirm', { body: { id, code } }),
    onSuccess: (added) => {
      toast(factors('totpAdded'))
      onAdded(added)
    },
  })
  const isWrong = error instanceof ApiError && error.status === 400
  return (
    <FactorForm
      field="code"
      onGive={mutate}
      onClose={onClose}
      action={t('confirm')}
      busy={isPending}
      problem={error === null || isWrong ? null : factors('saveFailed')}
    >
      <SharedSecret secret={secret} uri={uri} />
      <CodeField failure={isWrong ? error : null} />
    </FactorForm>
  )
}

/** A code that was wrong is marked, to be written over. */
function CodeField({ failure }: { failure: Error | null }) {
  const t = useTranslations('account.totp')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (failure !== null) field.current?.select()
  }, [failure])
  return (
    <Field label={t('code')} error={failure === null ? undefined : t('wrong')}>
      {(attributes) => (
        <Input
          {...attributes}
          ref={field}
          autoFocus={!isTouch()}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 ]{6,8}"
          required
          maxLength={8}
          className="tabular"
        />
      )}
    </Field>
  )
}

/** There the keyboard would cover the picture. */
function isTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches
}

/** What the app reads, and what one takes along where it cannot, as when the app is on the same telephone. */
function SharedSecret({ secret, uri }: Pick<NewTotpAnswer, 'secret' | 'uri'>) {
  const t = useTranslations('account.totp')
  const codes = useTranslations('account.codes')
  const [copied, copy] = useCopy(secret)
  return (
    <>
      <p className="text-sm text-pretty text-mute">{t('scan')}</p>
      <QrCode text={uri} label={t('picture')} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-mute">
        <p className="min-w-0 flex-1 basis-60">
          {t('typed')} <code className="block font-mono wrap-anywhere text-ink">{inGroups(secret)}</code>
        </p>
        <span className="flex flex-wrap gap-2">
          <a href={uri} className={buttonClass({ size: 'sm', className: 'not-touch:hidden' })}>
            {t('openApp')}
          </a>
          <Button size="sm" onClick={copy}>
            <span aria-live="polite">{copied ? codes('copied') : t('copyKey')}</span>
          </Button>
        </span>
      </div>
    </>
  )
}

/** Black on white whatever the theme: cameras read nothing else for sure. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { size: modules, data } = encode(text, { border: 3 })
    const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size: modules, path: squares.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-52 max-w-full forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
