'use client'

import { useTranslations } from 'next-intl'
import { Field } from '@/components/ui/field'
import type { ExportChoice } from '@/lib/contract/preferences'
import { Disclosure } from './disclosure'
import { Select } from './select'

const delimiters = [
  { value: ';', name: 'semicolon' },
  { value: ',', name: 'comma' },
  { value: '\t', name: 'tab' },
] as const
const encodings = ['utf-8-bom', 'utf-8', 'utf-16le', 'windows-1252'] as const

type CsvSettingsProps = Pick<ExportChoice, 'delimiter' | 'encoding'> & {
  onChange: (part: Partial<ExportChoice>) => void
}

/** For programs that want it otherwise than Excel does. */
export function CsvSettings({ delimiter, encoding, onChange }: CsvSettingsProps) {
  const t = useTranslations('export.csv')
  const delimiterName = delimiters.find(({ value }) => value === delimiter)?.name ?? 'semicolon'
  return (
    <Disclosure title={t('label')} summary={t(delimiterName)}>
      <div className="flex flex-col gap-3 p-1">
        <Field label={t('delimiter')}>
          {(attributes) => (
            <Select
              {...attributes}
              value={delimiterName}
              onChange={({ target }) => {
                const chosen = delimiters.find(({ name }) => name === target.value)
                if (chosen) onChange({ delimiter: chosen.value })
              }}
            >
              {delimiters.map(({ name }) => (
                <option key={name} value={name}>
                  {t(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('encoding')} hint={encoding === 'windows-1252' ? t('lossy') : undefined}>
          {(attributes) => (
            <Select
              {...attributes}
              value={encoding}
              onChange={({ target }) => {
                const chosen = encodings.find((name) => name === target.value)
                if (chosen) onChange({ encoding: chosen })
              }}
            >
              {encodings.map((name) => (
                <option key={name} value={name}>
                  {t(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Disclosure>
  )
}
