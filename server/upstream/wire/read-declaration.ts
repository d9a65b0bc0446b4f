import 'server-only'
import type { DeclarationOfInterest } from '@/lib/contract/lead'
import { readMoment } from './read-moment'
import { readId, readNonEmptyText, readObject, readOptionalInteger, readOptionalText, recordReader } from './reading'

/** One element of `declarationsOfInterest`. What the service may leave out is null; further fields are ignored. */
export const readDeclaration = recordReader((record): DeclarationOfInterest => {
  const id = readId(record.id)
  const highSchoolId = readNonEmptyText(record.highSchoolId, 'highSchoolId')
  const createdAt = readMoment(record.createdAt, 'createdAt')
  const user = readObject(record.user, 'user')
  return {
    id,
    highSchoolId,
    createdAt,
    user: {
      firstName: readOptionalText(user.firstName, 'user.firstName'),
      lastName: readOptionalText(user.lastName, 'user.lastName'),
      email: readOptionalText(user.email, 'user.email'),
      phone: readOptionalText(user.phone, 'user.phone'),
      highSchoolEnrollmentYear: readOptionalInteger(user.highSchoolEnrollmentYear, 'user.highSchoolEnrollmentYear'),
    },
  }
})
