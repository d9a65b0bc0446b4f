import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'

type Attributes = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }
type Labelled = { label: string; hint?: string | undefined; error?: string | undefined }

export function Field({
  label,
  hint,
  error,
  children,
}: Labelled & { children: (attributes: Attributes) => ReactNode }) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': note ? `${id}-note` : undefined })}
      {note && (
        <p id={`${id}-note`} className={error ? 'text-xs text-danger' : 'text-xs text-mute'}>
          {note}
        </p>
      )}
    </div>
  )
}

/** 16 px on touch screens: with less, iOS zooms the page on focus. */
export const inputClass =
  'h-9 w-full rounded-md border border-field-line bg-panel px-3 text-base text-ink transition-colors aria-invalid:border-danger focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:opacity-60 touch:h-11 touch:text-[1rem]'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(inputClass, className)} />
}

export function TextField({ label, hint, error, ...input }: Labelled & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <Input {...attributes} {...input} />}
    </Field>
  )
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select {...rest} className={cn(inputClass, 'appearance-none pr-9', className)} />
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-mute" />
    </span>
  )
}

type Choosing<Value extends string> = {
  options: readonly (readonly [value: Value, text: string])[]
  onChoose?: (value: Value) => void
}
type SelectFieldProps<Value extends string> = Labelled & Choosing<Value> & Omit<ComponentProps<'select'>, 'onChange'>

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, error, options, onChoose, ...select } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <Select {...attributes} {...select} onChange={({ target }) => onChoose?.(target.value as Value)}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

export function TextAreaField({ label, hint, error, className, ...area }: Labelled & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <textarea {...attributes} {...area} className={cn(inputClass, 'h-auto! py-2', className)} />}
    </Field>
  )
}
