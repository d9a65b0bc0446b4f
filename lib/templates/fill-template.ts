/** What a template's placeholders stand for; null or empty where it is not known. */
export type TemplateValues = { firstName: string | null; school: string | null }

export const PLACEHOLDERS = ['firstName', 'school'] as const satisfies readonly (keyof TemplateValues)[]

const KNOWN = /([^\S\n]*)\{(firstName|school)\}/g

/**
 * Puts the values in place of `{firstName}` and `{school}`. One that is not known goes with the blanks before it, so that
 * "Hej {firstName}!" becomes "Hej!". Any other braces stay as they are, and so do braces within a value.
 */
export function fillTemplate(text: string, values: TemplateValues): string {
  const filled = text.replace(KNOWN, (_match, blanks: string, name: string) => {
    const value = oneLine(name === 'firstName' ? values.firstName : values.school)
    return value === '' ? '' : blanks + value
  })
  return filled.replace(/^[^\S\n]+$/gm, '')
}

/** A name with a line break in it must not become a new line of the subject. */
function oneLine(value: string | null): string {
  return (value ?? '').replace(/\s+/gu, ' ').trim()
}
