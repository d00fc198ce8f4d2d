# language: en
@RF-AUTH-001
Feature: Signing in to the console

  Background:
    Given an account "marta@acme.example" with a password and an authenticator app

  @RF-AUTH-001
  Scenario: A password alone opens nothing
    When Marta enters her e-mail address and her password
    Then she is asked for a six-digit code
    And no page of the tenant can be opened

  @RF-AUTH-001
  Scenario: A code works once
    Given Marta has signed in with the code "492817"
    When somebody signs in as Marta with the code "492817"
    Then the sign-in is refused

  @RF-AUTH-002
  Scenario: Five failures lock the account
    When five sign-ins as Marta fail within ten minutes
    And Marta enters the correct password
    Then the answer is 423 account_locked
    And fifteen minutes later she can sign in
