/** Returns the first error of a login form, or ''. */
export function checkLogin(form: { username: string; password: string }): string {
  return form.username.trim() === '' || form.password === '' ? 'Please enter both username and password' : '';
}

/** Returns the first error of a registration, or ''. The server checks the rules for names and passwords. */
export function checkRegistration(form: {
  username: string;
  email: string;
  password: string;
  confirm: string;
}): string {
  if (form.username.trim() === '' || form.email.trim() === '' || form.password === '' || form.confirm === '') {
    return 'Please fill in all fields';
  }
  return form.password === form.confirm ? '' : 'Passwords do not match';
}

/** Returns the first error of a new password and its repetition, or ''. */
export function checkNewPassword(form: { password: string; confirm: string }): string {
  if (form.password === '' || form.confirm === '') return 'Please fill in all fields';
  return form.password === form.confirm ? '' : 'Passwords do not match';
}
