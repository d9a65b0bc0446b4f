'use client'

import { useTranslations } from 'next-intl'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from './select'

export const PURPOSES = ['call', 'contact', 'invite', 'statistics', 'transfer'] as const
/** One of the list, or in the person's own words. */
export type Purpose = { name: (typeof PURPOSES)[number] | 'other' | ''; text: string }
export const NO_PURPOSE: Purpose = { name: '', text: '' }

type PurposeFieldProps = { purpose: Purpose; error: string | undefined; onChange: (purpose: Purpose) => void }

/** Why the data is needed: asked every time, for an answer given by itself would be none. */
export function PurposeField({ purpose, error, onChange }: PurposeFieldProps) {
  const t = useTranslations('export.purpose')
  const isOther = purpose.name === 'other'
  return (
    <>
      <Field label={t('label')} hint={t('hint')} error={isOther ? undefined : error}>
        {(attributes) => (
          <Select
            {...attributes}
            required
            value={purpose.name}
            onChange={({ target }) => {
              const name = [...PURPOSES, 'other' as const].find((one) => one === target.value) ?? ''
              onChange({ ...purpose, name })
            }}
          >
            <option value="">{t('choose')}</option>
            {[...PURPOSES, 'other' as const].map((name) => (
              <option key={name} value={name}>
                {t(name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isOther && (
        <Field label={t('otherLabel')} error={error}>
          {(attributes) => (
            <Input
              {...attributes}
              autoFocus
              required
              maxLength={300}
              value={purpose.text}
              onChange={({ target }) => onChange({ ...purpose, text: target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}
